/**
 * Checking what clients send before it is used.
 * @module
 */
import type { FindFilters } from "../index/questions/find.ts";
import {
  defaultPageSize,
  errorCodes,
  maxPageSize,
  maxTextCount,
  maxTextLength,
  RpcError,
  type RpcErrorObject,
} from "../protocol/messages.ts";

/** An error that blames the parameters. */
export function invalid(message: string, data?: RpcErrorObject["data"]): RpcError {
  return new RpcError({ code: errorCodes.invalidParams, message, ...(data ? { data } : {}) });
}

/** The parameters of one request. Each getter checks what it returns. */
export class Parameters {
  readonly #values: Readonly<Record<string, unknown>>;

  /** @throws {RpcError} if `params` is neither absent nor an object. */
  constructor(params: unknown) {
    if (params === undefined) this.#values = {};
    else if (isRecord(params)) this.#values = params;
    else throw invalid("params must be an object");
  }

  /** A text that must be there. */
  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined) throw invalid(`"${name}" is missing`);
    return value;
  }

  /** A text, or undefined. */
  optionalText(name: string): string | undefined {
    return optionalText(this.#values, name);
  }

  /** A list of texts that must be there. */
  texts(name: string): string[] {
    const value = optionalTexts(this.#values, name);
    if (value === undefined) throw invalid(`"${name}" is missing`);
    return value;
  }

  /** A list of texts, or undefined. */
  optionalTexts(name: string): string[] | undefined {
    return optionalTexts(this.#values, name);
  }

  /** Whether a truth value is there and true. */
  flag(name: string): boolean {
    const value = this.#values[name];
    if (value === undefined || typeof value === "boolean") return value ?? false;
    throw invalid(`"${name}" must be true or false`);
  }

  /** A whole number from 0, or the default. */
  wholeNumber(name: string, otherwise: number): number {
    return optionalWholeNumber(this.#values, name) ?? otherwise;
  }

  /** A whole number from 0 that must be there. */
  requiredNumber(name: string): number {
    const value = optionalWholeNumber(this.#values, name);
    if (value === undefined) throw invalid(`"${name}" is missing`);
    return value;
  }

  /** A 32-bit integer, signed or not, as a signed one; or undefined. */
  optionalInteger32(name: string): number | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 32) {
      return value | 0;
    }
    throw invalid(`"${name}" must be a whole number of 32 bits`);
  }

  /** A pair of whole numbers: oldest and newest version. */
  versions(name: string): [oldest: number, newest: number] {
    const value = this.#values[name];
    if (Array.isArray(value) && value.length === 2 && value.every((item) => Number.isSafeInteger(item))) {
      return [value[0], value[1]];
    }
    throw invalid(`"${name}" must be two whole numbers, the oldest and the newest version`);
  }

  /** How many rows a page may have. */
  pageSize(): number {
    const limit = this.wholeNumber("limit", defaultPageSize);
    if (limit < 1) throw invalid(`"limit" must be at least 1`);
    return Math.min(limit, maxPageSize);
  }

  /** The conditions of a search. */
  filters(): FindFilters {
    const value = this.#values.filters;
    if (value === undefined) return {};
    if (!isRecord(value)) throw invalid(`"filters" must be an object`);
    const filters: FindFilters = {};
    const minSize = optionalWholeNumber(value, "minSize");
    const maxSize = optionalWholeNumber(value, "maxSize");
    const extensions = optionalTexts(value, "extensions");
    const source = optionalText(value, "source");
    if (minSize !== undefined) filters.minSize = minSize;
    if (maxSize !== undefined) filters.maxSize = maxSize;
    if (extensions !== undefined) filters.extensions = extensions;
    if (source !== undefined) filters.source = source;
    return filters;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function optionalText(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw invalid(`"${name}" must be a text`);
  requireShort(name, value);
  return value;
}

function optionalTexts(values: Readonly<Record<string, unknown>>, name: string): string[] | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalid(`"${name}" must be a list of texts`);
  if (value.length > maxTextCount) {
    throw invalid(`"${name}" has ${value.length} elements; the maximum is ${maxTextCount}`);
  }
  for (const item of value) {
    if (typeof item !== "string") throw invalid(`"${name}" must be a list of texts`);
    requireShort(name, item);
  }
  return value;
}

function requireShort(name: string, value: string): void {
  if (value.length <= maxTextLength) return;
  const message = `"${name}" is ${value.length} characters long; the maximum is ${maxTextLength}`;
  throw invalid(message, { errno: "ENAMETOOLONG" });
}

function optionalWholeNumber(values: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(`"${name}" must be a whole number from 0`);
}
