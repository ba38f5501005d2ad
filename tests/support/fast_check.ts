/**
 * fast-check, with the seed that all tests share.
 * @module
 */
import { configureGlobal } from "fast-check";
import { seed } from "./chance.ts";

configureGlobal({ seed });

export * as default from "fast-check";
