export * from "../../repl/options.ts";
