/**
 * Checks what clients send before it is used.
 * @module
 */
import type { Checks, FindFilters } from "../../questions/mod.ts";
import { errorCodes, maxStringCount, maxStringLength, RpcError, type RpcErrorObject } from "../../protocol/mod.ts";
import { isRecord } from "../../system/mod.ts";

/** Creates an error for invalid parameters. */
export function invalid(message: string, data?: RpcErrorObject["data"]): RpcError {
  return new RpcError({ code: errorCodes.invalidParams, message, ...(data ? { data } : {}) });
}

type Values = Readonly<Record<string, unknown>>;

/** A named check: returns the value if it is valid, else throws. */
const checks: Readonly<Record<string, (name: string, value: unknown) => unknown>> = {
  string,
  strings,
  flag: (name, value) => {
    if (typeof value === "boolean") return value;
    throw invalid(`"${name}" must be true or false`);
  },
  count,
  integer32: (name, value) => {
    if (typeof value === "number" && Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 32) {
      return value | 0;
    }
    throw invalid(`"${name}" must be a whole number of 32 bits`);
  },
  versions: (name, value) => {
    if (Array.isArray(value) && value.length === 2 && value.every((item) => Number.isSafeInteger(item))) return value;
    throw invalid(`"${name}" must be two whole numbers, the oldest and the newest version`);
  },
  table: (name, value) => {
    if (isRecord(value)) return value;
    throw invalid(`"${name}" must be an object`);
  },
  filters: (name, value): FindFilters => {
    if (!isRecord(value)) throw invalid(`"${name}" must be an object`);
    return checkValues<FindFilters>(
      { minSize: "count", maxSize: "count", extensions: "strings", source: "string" },
      value,
    );
  },
};

/**
 * Returns the parameters of a call that are in `table`, checked; others are ignored.
 * @throws {RpcError} for the first invalid one.
 */
export function checkParameters<Parameters>(table: Checks<Parameters>, params: unknown): Parameters {
  if (params !== undefined && !isRecord(params)) throw invalid("params must be an object");
  return checkValues(table, params ?? {});
}

function checkValues<Parameters>(table: Checks<Parameters>, values: Values): Parameters {
  const checked: Record<string, unknown> = {};
  for (const [name, check] of Object.entries<string>(table)) {
    const value = values[name];
    const kind = check.replace(/^required /, "");
    if (value !== undefined || kind === "versions") checked[name] = checks[kind]?.(name, value);
    else if (kind !== check) throw invalid(`"${name}" is missing`);
  }
  return checked as Parameters;
}

function string(name: string, value: unknown): string {
  if (typeof value !== "string") throw invalid(`"${name}" must be a string`);
  requireShort(name, value);
  return value;
}

function strings(name: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw invalid(`"${name}" must be a list of strings`);
  if (value.length > maxStringCount) {
    throw invalid(`"${name}" has ${value.length} elements; the maximum is ${maxStringCount}`);
  }
  for (const item of value) {
    if (typeof item !== "string") throw invalid(`"${name}" must be a list of strings`);
    requireShort(name, item);
  }
  return value;
}

function requireShort(name: string, value: string): void {
  if (value.length <= maxStringLength) return;
  const message = `"${name}" is ${value.length} characters long; the maximum is ${maxStringLength}`;
  throw invalid(message, { errno: "ENAMETOOLONG" });
}

function count(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(`"${name}" must be a whole number from 0`);
}
