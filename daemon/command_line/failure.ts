export * from "../../repl/failure.ts";
