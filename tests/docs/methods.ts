/**
 * The methods of the socket as `deno doc` reads them from the source, for `docs/protocol.md`.
 * @module
 */
import { exportedTypes, fieldsOf, type TypeNode, typeText } from "./json_types.ts";
import { markdownTable } from "./markdown.ts";

const root = new URL("../..", import.meta.url).pathname;

interface Parameter {
  readonly name: string;
  readonly isOptional: boolean;
  readonly meaning: string;
}

/** A method of the socket. */
export interface MethodDoc {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly answer: string;
  readonly meaning: string;
}

interface Symbols {
  readonly nodes: Readonly<Record<string, { readonly symbols: readonly DocumentedSymbol[] }>>;
}

interface DocumentedSymbol {
  readonly name: string;
  readonly declarations: readonly {
    readonly kind: string;
    readonly jsDoc?: { readonly doc?: string };
    readonly def?: { readonly tsType?: TypeNode };
  }[];
}

type Types = Awaited<ReturnType<typeof exportedTypes>>;

async function readTypes(): Promise<Types> {
  const modules = ["protocol/methods.ts", "protocol/rows.ts"];
  for await (const { name, isFile } of Deno.readDir(`${root}questions`)) if (isFile) modules.push(`questions/${name}`);
  return await exportedTypes(modules.map((path) => root + path));
}

function inOneLine(text: string | undefined): string {
  return (text ?? "").replaceAll(/\s+/g, " ").replaceAll(/\{@linkcode (\w+)\}/g, "`$1`").trim();
}

function parametersOf(types: Types, node: TypeNode | undefined): Parameter[] {
  if (!node) return [];
  if (node.kind === "intersection") return (node.value as TypeNode[]).flatMap((part) => parametersOf(types, part));
  if (typeText(node) === "NoParameters") return [];
  return fieldsOf(types, node).map(({ name, optional = false, jsDoc }) => ({
    name,
    isOptional: optional,
    meaning: inOneLine(jsDoc?.doc),
  }));
}

/** Returns the field names of a type, or of each of several types. */
function fieldNames(types: Types, node: TypeNode | undefined): string {
  if (!node) return "";
  if (node.kind === "keyword") return typeText(node);
  const alias = node.kind === "typeRef" ? types.get(typeText(node))?.alias : undefined;
  if (alias) return fieldNames(types, alias);
  if (node.kind === "union") return (node.value as TypeNode[]).map((one) => fieldNames(types, one)).join("; or ");
  return fieldsOf(types, node).map(({ name, optional }) => `\`${name}\`${optional ? "?" : ""}`).join(", ");
}

/** Returns the methods of questions, by the declared types of the questions. */
async function questionMethods(types: Types): Promise<MethodDoc[]> {
  const args = ["doc", "--json", `${root}questions/table.ts`];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as Symbols;
  return Object.values(nodes).flatMap(({ symbols }) => symbols).flatMap(({ name, declarations }) => {
    const found = declarations.find(({ kind }) => kind === "variable");
    if (!found?.def?.tsType) return [];
    const { typeName, typeParams: [parameters, answer] } = found.def.tsType.value as {
      typeName: string;
      typeParams: TypeNode[];
    };
    const isPaged = typeName === "PagedQuestion";
    const page = isPaged ? [{ name: "page", isOptional: false, meaning: "" }] : [];
    return [{
      name,
      parameters: [...parametersOf(types, parameters), ...page],
      answer: `${isPaged ? "rows: " : ""}${fieldNames(types, answer)}`,
      meaning: inOneLine(found.jsDoc?.doc),
    }];
  });
}

function controlMethods(types: Types): MethodDoc[] {
  return (types.get("ControlMethods")?.fields ?? []).map(({ name, tsType, jsDoc }) => {
    const fields = tsType ? fieldsOf(types, tsType) : [];
    const typeOf = (field: string) => fields.find((one) => one.name === field)?.tsType;
    return {
      name,
      parameters: parametersOf(types, typeOf("params")),
      answer: fieldNames(types, typeOf("result")),
      meaning: inOneLine(jsDoc?.doc),
    };
  });
}

/** Returns all methods, the questions first. */
export async function readMethods(): Promise<MethodDoc[]> {
  const types = await readTypes();
  return [...await questionMethods(types), ...controlMethods(types)];
}

function listed({ name, isOptional }: Parameter): string {
  return name === "page" ? name : `\`${name}\`${isOptional ? "?" : ""}`;
}

/** Returns the table of methods. */
export function methodsTable(methods: readonly MethodDoc[]): string {
  return markdownTable(
    ["method", "parameters", "answer", "meaning"],
    methods.map(({ name, parameters, answer, meaning }) => [
      `\`${name}\``,
      parameters.map(listed).join(", "),
      answer,
      meaning,
    ]),
  );
}

/** Returns a table with a row for each meaning of a parameter. */
export function parametersTable(methods: readonly MethodDoc[]): string {
  const users = new Map<string, string[]>();
  for (const { name, parameters } of methods) {
    for (const parameter of parameters.filter(({ meaning }) => meaning !== "")) {
      const key = `\`${parameter.name}\`\n${parameter.meaning}`;
      users.set(key, [...users.get(key) ?? [], `\`${name}\``]);
    }
  }
  const rows = Array.from(users, ([key, names]) => [...key.split("\n"), names.join(", ")]);
  return markdownTable(["parameter", "meaning", "methods"], rows.sort(([a = ""], [b = ""]) => a < b ? -1 : 1));
}
