/**
 * File content for queries: local files are read here, files on remote file systems by their threads.
 * @module
 */
import { at } from "../../columns/columns.ts";
import type { LookAtFile } from "../../columns/identity.ts";
import type { IndexedGames } from "../../columns/indexed_games.ts";
import { ContentReader } from "../content_reader.ts";
import type { ContentAnswer, ContentQuestion, SubjectsQuestion } from "./content_worker.ts";
import type { RemoteReaders } from "./remote_readers.ts";

/** Reads entries of one index, and never waits for a remote file system in this thread. */
export class RoutedContent extends ContentReader {
  readonly #index: IndexedGames;
  readonly #readers: RemoteReaders;
  readonly #numbers: Uint8Array;

  constructor(index: IndexedGames, readers: RemoteReaders, look?: LookAtFile) {
    super(index.snapshot, look);
    this.#index = index;
    this.#readers = readers;
    this.#numbers = readers.remotes.numbersOf(index);
  }

  override async read(entry: number, offset: number, length: number): Promise<Uint8Array> {
    if (!this.isRemote(entry)) return await super.read(entry, offset, length);
    return bytesOf(await this.#ask({ kind: "read", entry, offset, length }));
  }

  override async dataOffset(entry: number): Promise<number | null> {
    if (!this.isRemote(entry)) return await super.dataOffset(entry);
    // As for damaged entries: the row itself shows more.
    const answer = await this.#ask({ kind: "dataOffset", entry }).catch(() => null);
    return typeof answer === "number" ? answer : null;
  }

  override isRemote(entry: number): boolean {
    return this.#numberOf(entry) !== 0;
  }

  override async readRemote(entry: number): Promise<Uint8Array> {
    return bytesOf(await this.#ask({ kind: "whole", entry }));
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#readers.forget(this.#index.snapshot);
    await super[Symbol.asyncDispose]();
  }

  #ask(question: Exclude<ContentQuestion, SubjectsQuestion>): Promise<ContentAnswer> {
    return this.#readers.ask(this.#numberOf(question.entry), this.#index.snapshot, question);
  }

  #numberOf(entry: number): number {
    return at(this.#numbers, at(this.#index.snapshot.columns.entrySources, entry));
  }
}

function bytesOf(answer: ContentAnswer): Uint8Array {
  return answer instanceof Uint8Array ? answer : new Uint8Array(0);
}
