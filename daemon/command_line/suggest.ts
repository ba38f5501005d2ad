export * from "../../repl/suggest.ts";
