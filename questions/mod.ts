/**
 * Interface of the questions for other rooms, next to their table (`table.ts`) and the types of their answers
 * (`answer_types.ts`).
 * @module
 */
export type { ChangeKind } from "./answer_types.ts";
export { choiceSentences, engineClauses } from "./engine_choice.ts";
export { cleanPath, MissingPathError, nodeAt } from "./files.ts";
export type { FindFilters } from "./filters.ts";
export { gameRows } from "./games.ts";
export { sourceNames } from "./named_sources.ts";
export { limitProblems } from "./packs.ts";
export {
  type Checks,
  EncodedRow,
  type PagedQuestion,
  type Position,
  type Question,
  type QuestionContext,
  QuestionError,
  type Step,
} from "./question.ts";
export type { Reading } from "./reference_rows.ts";
export {
  type Copies,
  maxDefinition,
  ShaderSurroundings,
  type ShownName,
} from "./references/conversion_surroundings.ts";
export { viewReferences } from "./references/view_references.ts";
export { type Comparison, sameByListing } from "./same_bytes.ts";
export { everyImagePath } from "./shaders/engine_images.ts";
export { shaderEntries, ShaderIndex, shaderIndex } from "./shaders/shader_index.ts";
export type { KnownDefinition } from "./shaders/shader_rules.ts";
export { type SqlTable, sqlTables } from "./sql/schema.ts";
export { SqlError, SqlReader, type SqlRow, type SqlValue } from "./sql/statement.ts";
export type { KnownHash, TableSource } from "./sql/table_groups.ts";
