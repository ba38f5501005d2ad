/**
 * A lint plugin that finds nothing wrong: it lists the sites where a subtle mistake can be put into a file, and the
 * text of each. Deno's linter parses the source, so that the mistakes need no parser of their own.
 * @module
 */

/** One mistake: `original`, at the range of the diagnostic that carries it, becomes `replacement`. */
export interface Mutation {
  /** Kind of the mistake. */
  readonly kind: "comparison" | "bound" | "guard" | "await" | "invalidation";
  /** Source text that is replaced. */
  readonly original: string;
  /** Source text in its place. */
  readonly replacement: string;
}

/** Comparisons that differ at the boundary only, and tests for equality that say the opposite. */
const otherComparison: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
};

const otherArithmetic: Readonly<Record<string, string>> = { "+": "-", "-": "+" };

const plugin: Deno.lint.Plugin = {
  name: "mutants",
  rules: {
    sites: {
      create(context) {
        const textOf = (node: Deno.lint.Node) => context.sourceCode.getText(node);
        const add = (node: Deno.lint.Node, kind: Mutation["kind"], replacement: string) => {
          const mutation: Mutation = { kind, original: textOf(node), replacement };
          context.report({ node, message: JSON.stringify(mutation) });
        };
        /** Whether an assignment resets something: forgets what was known, or counts from the start again. */
        const isReset = ({ operator, right }: Deno.lint.AssignmentExpression) =>
          operator === "=" && /^(none|undefined|null|true|false|-?\d+|""|\[\]|new \w+\(\))$/.test(textOf(right));
        const isText = (node: Deno.lint.Node) =>
          node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");

        return {
          BinaryExpression(node) {
            const rewrite = (operator: string) => `(${textOf(node.left)}) ${operator} (${textOf(node.right)})`;
            const comparison = otherComparison[node.operator];
            if (comparison !== undefined) return add(node, "comparison", rewrite(comparison));
            const arithmetic = otherArithmetic[node.operator];
            if (arithmetic === undefined || isText(node.left) || isText(node.right)) return;
            add(node, "bound", rewrite(arithmetic));
          },
          LogicalExpression(node) {
            if (node.operator === "??") return;
            add(node, "guard", `(${textOf(node.left)})`);
            add(node, "guard", `(${textOf(node.right)})`);
          },
          IfStatement(node) {
            add(node.test, "guard", "false");
            add(node.test, "guard", "true");
          },
          ConditionalExpression(node) {
            add(node.test, "guard", "false");
            add(node.test, "guard", "true");
          },
          UnaryExpression(node) {
            if (node.operator === "!") add(node, "guard", `(${textOf(node.argument)})`);
          },
          CallExpression(node) {
            const name = textOf(node.callee);
            if (name === "Math.min" || name === "Math.max") {
              const other = name === "Math.min" ? "Math.max" : "Math.min";
              add(node, "bound", `${other}(${node.arguments.map(textOf).join(", ")})`);
            }
          },
          AwaitExpression(node) {
            add(node, "await", `(${textOf(node.argument)})`);
          },
          ExpressionStatement(node) {
            const { expression } = node;
            const call = expression.type === "AwaitExpression" ? expression.argument : expression;
            // "super()" cannot be left out.
            const isCall = call.type === "CallExpression" && call.callee.type !== "Super";
            if (isCall || (expression.type === "AssignmentExpression" && isReset(expression))) {
              add(node, "invalidation", ";");
            }
          },
        };
      },
    },
  },
};

export default plugin;
