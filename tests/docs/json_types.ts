/**
 * The types of rows as `deno doc` reads them from the source, for Markdown and for checks of real rows.
 * @module
 */
import { basename, dirname, join } from "node:path";

/** A type, as `deno doc --json` writes it. */
export interface TypeNode {
  readonly kind: string;
  readonly value?: unknown;
}

interface Property {
  readonly name: string;
  readonly optional?: boolean;
  readonly tsType?: TypeNode;
  readonly jsDoc?: { readonly doc?: string };
}

/** A named type: an object with fields, or another name for a type. */
export interface NamedType {
  readonly name: string;
  readonly doc: string;
  readonly fields: readonly Property[];
  readonly extended: readonly TypeNode[];
  readonly alias: TypeNode | undefined;
}

interface Declared {
  readonly name: string;
  readonly declarations: readonly {
    readonly kind: string;
    readonly jsDoc?: { readonly doc?: string };
    readonly def?: { readonly properties?: Property[]; readonly extends?: TypeNode[]; readonly tsType?: TypeNode };
  }[];
}

/** Names that TypeScript knows, and names that are shown as text. */
const known: ReadonlySet<string> = new Set(["Record", "Omit", "NonNullable", "Method"]);

/** Returns the names of the types that a type refers to. */
function referredNames(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(referredNames);
  const { kind, value: content } = value as Partial<TypeNode>;
  if (kind === "indexedAccess") return [];
  const names = Object.values(value).flatMap(referredNames);
  if (kind !== "typeRef") return names;
  const typeName = nameIn(content as Reference);
  return known.has(typeName) ? names : [typeName, ...names];
}

/** Returns the files that a module imports or re-exports a name from. */
async function importedFrom(module: string, name: string): Promise<string[]> {
  const imports = (await Deno.readTextFile(module))
    .matchAll(/^(?:import|export) (?:type )?(?:\{([^}]*)\}|\* as \w+) from "(\.[^"]+)"/gm);
  // A module imported as a whole may provide any name.
  const files = Array.from(imports).flatMap(([, names = name, path = ""]) =>
    names.split(",").some((one) => one.replace(/^\s*type /, "").trim() === name) ? [join(dirname(module), path)] : []
  );
  const declaring = files.map((file) => basename(file) === "mod.ts" ? importedFrom(file, name) : [file]);
  return (await Promise.all(declaring)).flat();
}

/** Returns the types that a module declares, and all types that they refer to, from any file. */
export async function reachableTypes(module: string, roots: readonly string[]): Promise<Map<string, NamedType>> {
  const modules = new Set([module]);
  for (;;) {
    // deno-lint-ignore no-await-in-loop -- which modules are needed is known from those before
    const all = await exportedTypes([...modules]);
    const found = new Map<string, NamedType>();
    const missing = new Set<string>();
    const visit = (name: string) => {
      const type = all.get(name);
      if (!type) missing.add(name);
      if (!type || found.has(name)) return;
      found.set(name, type);
      referredNames([type.fields, type.extended, type.alias]).forEach(visit);
    };
    roots.forEach(visit);
    if (missing.size === 0) return found;
    const before = modules.size;
    const pairs = [...missing].flatMap((name) => [...modules].map((from) => importedFrom(from, name)));
    for (const path of (await Promise.all(pairs)).flat()) modules.add(path);
    if (modules.size === before) throw new Error(`no module exports ${[...missing].join(", ")}`);
  }
}

/** Returns the types that modules export. */
export async function exportedTypes(modules: readonly string[]): Promise<ReadonlyMap<string, NamedType>> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["doc", "--json", ...modules] }).output();
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as { nodes: Record<string, { symbols: Declared[] }> };
  const types = Object.values(nodes).flatMap(({ symbols }) => symbols).flatMap(({ name, declarations }) => {
    const found = declarations.find(({ kind }) => kind === "interface" || kind === "typeAlias");
    if (!found) return [];
    const { jsDoc, def } = found;
    const named: NamedType = {
      name,
      doc: jsDoc?.doc ?? "",
      fields: def?.properties ?? [],
      extended: def?.extends ?? [],
      alias: def?.tsType,
    };
    return [[name, named] as const];
  });
  return new Map(types);
}

/** `deno doc` puts the parts of a type into `value`; their shape depends on `kind`. */
function parts<Parts>({ value }: TypeNode): Parts {
  return value as Parts;
}

interface Reference {
  readonly typeName: string;
  readonly typeParams?: readonly TypeNode[];
}

/** Returns the name of a type without the prefix of its module. */
function nameIn({ typeName }: Reference): string {
  return typeName.replace(/^.*\./, "");
}

/** All fields of a type, inherited ones first. */
export function fieldsOf(types: ReadonlyMap<string, NamedType>, node: TypeNode): Property[] {
  if (node.kind === "typeLiteral") return parts<{ properties: Property[] }>(node).properties;
  if (node.kind !== "typeRef") throw new TypeError(`a ${node.kind} has no fields`);
  const { typeParams = [] } = parts<Reference>(node);
  const typeName = nameIn(parts(node));
  if (typeName === "Omit") {
    const [from, left] = typeParams;
    const names = left?.kind === "union" ? parts<TypeNode[]>(left) : left ? [left] : [];
    const omitted = names.map((name) => parts<{ string: string }>(name).string);
    return from ? fieldsOf(types, from).filter(({ name }) => !omitted.includes(name)) : [];
  }
  const named = types.get(typeName);
  if (!named) throw new TypeError(`${typeName} is not exported`);
  if (named.alias) return fieldsOf(types, named.alias);
  return [...named.extended.flatMap((one) => fieldsOf(types, one)), ...named.fields];
}

/** A type in TypeScript syntax, without `readonly`. */
export function typeText(node: TypeNode | undefined): string {
  if (!node) return "unknown";
  if (node.kind === "keyword") return parts<string>(node);
  if (node.kind === "literal") {
    const literal = parts<{ kind: string; string?: string; boolean?: boolean; number?: number }>(node);
    return literal.string === undefined ? String(literal.boolean ?? literal.number) : `"${literal.string}"`;
  }
  if (node.kind === "union") return parts<TypeNode[]>(node).map(typeText).join(" | ");
  if (node.kind === "parenthesized") return typeText(parts<TypeNode>(node));
  if (node.kind === "typeOperator") return typeText(parts<{ tsType: TypeNode }>(node).tsType);
  if (node.kind === "tuple") return `[${parts<TypeNode[]>(node).map(typeText).join(", ")}]`;
  if (node.kind === "array") {
    const of = typeText(parts<TypeNode>(node));
    return of.includes(" | ") ? `(${of})[]` : `${of}[]`;
  }
  if (node.kind === "typeLiteral") {
    const fields = parts<{ properties: Property[] }>(node).properties;
    return `{ ${
      fields.map(({ name, optional, tsType }) => `${name}${optional ? "?" : ""}: ${typeText(tsType)}`).join("; ")
    } }`;
  }
  if (node.kind === "typeRef") {
    const { typeParams = [] } = parts<Reference>(node);
    const typeName = nameIn(parts(node));
    return typeParams.length === 0 ? typeName : `${typeName}<${typeParams.map(typeText).join(", ")}>`;
  }
  // `typeof names[number]`: one of several strings.
  if (node.kind === "indexedAccess") return "string";
  throw new TypeError(`types of kind ${node.kind} cannot be shown`);
}

function misfitOfObject(types: ReadonlyMap<string, NamedType>, value: unknown, node: TypeNode, at: string) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return `${at} is no object`;
  const fields = fieldsOf(types, node);
  const unknown = Object.keys(value).find((key) => !fields.some(({ name }) => name === key));
  if (unknown !== undefined) return `${at}.${unknown} is not described`;
  const values = new Map(Object.entries(value));
  for (const { name, optional, tsType } of fields) {
    if (!values.has(name)) {
      if (!optional) return `${at}.${name} is missing`;
      continue;
    }
    const wrong = tsType && misfit(types, values.get(name), tsType, `${at}.${name}`);
    if (wrong) return wrong;
  }
  return undefined;
}

/** Returns the difference between a value and a type, with its location; undefined if they agree. */
export function misfit(
  types: ReadonlyMap<string, NamedType>,
  value: unknown,
  node: TypeNode,
  at: string,
): string | undefined {
  if (node.kind === "union") {
    const wrong = parts<TypeNode[]>(node).map((one) => misfit(types, value, one, at));
    return wrong.includes(undefined) ? undefined : wrong.join(", or ");
  }
  if (node.kind === "parenthesized") return misfit(types, value, parts<TypeNode>(node), at);
  if (node.kind === "typeOperator") return misfit(types, value, parts<{ tsType: TypeNode }>(node).tsType, at);
  if (node.kind === "array" || node.kind === "tuple") {
    if (!Array.isArray(value)) return `${at} is no list`;
    const of = (index: number) => node.kind === "array" ? parts<TypeNode>(node) : parts<TypeNode[]>(node)[index];
    return value.map((item, index) => {
      const type = of(index);
      return type ? misfit(types, item, type, `${at}[${index}]`) : `${at}[${index}] is one too many`;
    }).find((wrong) => wrong !== undefined);
  }
  if (node.kind === "literal" || (node.kind === "keyword" && parts<string>(node) === "null")) {
    return JSON.stringify(value) === typeText(node) ? undefined : `${at} is not ${typeText(node)}`;
  }
  if (node.kind === "typeRef" && types.get(nameIn(parts(node)))?.alias) {
    const alias = types.get(nameIn(parts(node)))?.alias;
    return alias && misfit(types, value, alias, at);
  }
  if (node.kind === "typeRef" && nameIn(parts(node)) === "Record") {
    if (typeof value !== "object" || value === null) return `${at} is no object`;
    const of = parts<Reference>(node).typeParams?.[1];
    return of && Object.entries(value).map(([key, item]) => misfit(types, item, of, `${at}.${key}`)).find(Boolean);
  }
  if (node.kind === "typeRef" || node.kind === "typeLiteral") {
    const name = node.kind === "typeRef" ? nameIn(parts(node)) : "";
    return name === "Method" ? misfitOfText(value, at) : misfitOfObject(types, value, node, at);
  }
  if (node.kind === "indexedAccess") return misfitOfText(value, at);
  const expected = parts<string>(node);
  return expected === "unknown" || typeof value === expected ? undefined : `${at} is no ${expected}`;
}

function misfitOfText(value: unknown, at: string): string | undefined {
  return typeof value === "string" ? undefined : `${at} is no string`;
}
