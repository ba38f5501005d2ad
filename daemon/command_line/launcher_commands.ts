export * from "../../repl/commands/launcher.ts";
