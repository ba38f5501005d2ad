/**
 * Every method of the protocol: the daemon's methods, and questions about the index.
 * @module
 */
import { type ControlMethods, errorCodes, type MethodName, RpcError } from "../../protocol/mod.ts";
import { complete } from "./complete.ts";
import { hello, mount, refresh, reload, status, stop, unmount } from "./control.ts";
import type { Method, MethodContext, MethodTable } from "./method.ts";
import { checkParameters } from "./parameters.ts";
import { answerQuestion, questionNames } from "./questions.ts";
import { read } from "./read.ts";
import { sql } from "./sql.ts";
import { subscribe, unsubscribe } from "./subscriptions.ts";

const controlMethods: MethodTable<keyof ControlMethods> = {
  hello,
  read,
  complete,
  sql,
  status,
  refresh,
  reload,
  mount,
  unmount,
  subscribe,
  unsubscribe,
  stop,
};

/** Names of all methods. */
export const methodNames: readonly MethodName[] = [
  ...questionNames,
  ...Object.keys(controlMethods) as (keyof ControlMethods)[],
];

/**
 * Executes a method.
 * @throws {RpcError} if it does not exist or its parameters are invalid; and errors of the method.
 */
export async function answerMethod(
  name: string,
  context: MethodContext,
  params: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (Object.hasOwn(controlMethods, name)) {
    const method: Method<MethodName> = controlMethods[name as keyof ControlMethods];
    return await method.answer(context, checkParameters(method.parameters, params), signal);
  }
  const answer = answerQuestion(name, context, params, signal);
  if (answer) return await answer;
  const message = `unknown method ${name}; methods are ${methodNames.join(", ")}`;
  throw new RpcError({ code: errorCodes.methodNotFound, message });
}
