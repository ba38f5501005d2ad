/**
 * Decides which HTTP requests are accepted: requests from the browser with the token, for the address of this server,
 * from pages of this server.
 * @module
 */

/** Maximum characters of a request's path and query. */
const maxUrlLength = 32 * 1024;
/** Milliseconds during which a ticket is accepted. */
const ticketTime = 60_000;

const encoder = new TextEncoder();

/** Headers of every response. */
const everyHeader = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
} as const;

/** Content security policy of the page: only its own scripts, styles and data, and no string-to-HTML sinks. */
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; " +
  "connect-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "trusted-types 'none'; require-trusted-types-for 'script'";
/** Content security policy of game files: a browser that shows one as a document runs no scripts. */
const filePolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Returns a response with protective headers. */
export function answer(
  body: BodyInit | null,
  type: string,
  init: { readonly status?: number; readonly isPage?: boolean; readonly headers?: Record<string, string> } = {},
): Response {
  const policy = init.isPage ? pagePolicy : filePolicy;
  const headers = { ...everyHeader, "content-security-policy": policy, "content-type": type, ...init.headers };
  return new Response(body, { status: init.status ?? 200, headers });
}

/** Returns a rejection with a message. */
export function refusal(status: number, sentence: string, headers: Record<string, string> = {}): Response {
  return answer(`${sentence}\n`, "text/plain; charset=utf-8", { status, headers });
}

/** Returns 256 random bits as a string for URLs. */
export function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Compares two strings in a time that depends only on the length of the given one. */
function isSecret(given: string, secret: string): boolean {
  const a = encoder.encode(given);
  const b = encoder.encode(secret);
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= (a[index] ?? 0) ^ (b[index % b.length] ?? 0);
  return difference === 0;
}

/** Returns the values of all cookies with a name: a page on another port can add one. */
function cookies(request: Request, name: string): string[] {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.flatMap((pair) => pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []);
}

/** Address and secrets of one server. */
export class Guard {
  /** Origin of the page: `http://127.0.0.1:7257`. */
  readonly origin: string;
  /** Part of the printed URL. */
  readonly token = newSecret();
  readonly #hosts: ReadonlyMap<string, string>;
  readonly #cookie: string;
  readonly #session = newSecret();
  #ticket: { readonly secret: string; readonly until: number } | undefined;

  /** @param port Port of the server on 127.0.0.1. */
  constructor(port: number) {
    const names = ["127.0.0.1", "localhost"];
    // A browser omits the default port of the scheme.
    const hosts = names.map((name) => port === 80 ? name : `${name}:${port}`);
    this.#hosts = new Map(hosts.map((host) => [host, `http://${host}`]));
    this.origin = `http://${hosts[0]}`;
    this.#cookie = `pakfs-${port}`;
  }

  /** Creates a URL for a single visit, for a command line that other users can read. */
  ticketFor(path: string): string {
    this.#ticket = { secret: newSecret(), until: Date.now() + ticketTime };
    return this.#withSecret(path, "ticket", this.#ticket.secret);
  }

  /** Returns the URL of a path with the token. */
  urlOf(path: string): string {
    return this.#withSecret(path, "token", this.token);
  }

  #withSecret(path: string, name: string, secret: string): string {
    const url = new URL(path, this.origin);
    url.searchParams.set(name, secret);
    return url.href;
  }

  /**
   * Returns a rejection, or a redirect with the cookie for the token in the printed URL; undefined for an accepted
   * request.
   * @param isPage Whether the path belongs to the page, to which other pages may link.
   */
  check(request: Request, url: URL, isPage: boolean): Response | undefined {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refusal(405, "only GET and HEAD are allowed", { allow: "GET, HEAD" });
    }
    if (request.url.length > maxUrlLength) return refusal(414, "the address is too long");
    const own = this.#hosts.get(request.headers.get("host")?.toLowerCase() ?? "");
    // With another name for this address, a page elsewhere would be treated as same-origin (DNS rebinding).
    if (own === undefined) return refusal(421, `this server answers at ${this.origin} only`);
    const origin = request.headers.get("origin");
    if (origin !== null && origin !== own) return refusal(403, "the request is from another page");
    const site = request.headers.get("sec-fetch-site") ?? "none";
    const isVisit = isPage && request.headers.get("sec-fetch-mode") === "navigate" &&
      request.headers.get("sec-fetch-dest") === "document";
    if (site !== "same-origin" && site !== "none" && !isVisit) {
      return refusal(403, "the request is from another page");
    }
    if (isPage && (url.searchParams.has("token") || url.searchParams.has("ticket"))) return this.#admit(url);
    if (cookies(request, this.#cookie).some((value) => isSecret(value, this.#session))) return undefined;
    const sentence = `open the address that "pakfs web" printed: this browser is not signed in`;
    return isPage ? this.#invitation(sentence) : refusal(401, sentence);
  }

  /** Sets the cookie for a token, and redirects to the URL without it, which keeps it out of the history. */
  #admit(url: URL): Response {
    const token = url.searchParams.get("token");
    const ticket = url.searchParams.get("ticket");
    const isToken = token !== null && isSecret(token, this.token);
    if (!isToken && !(ticket !== null && this.#takeTicket(ticket))) {
      return this.#invitation(`the token is from an earlier pakfs web: open the address that the current one printed`);
    }
    const clean = new URL(url);
    clean.searchParams.delete("token");
    clean.searchParams.delete("ticket");
    const cookie = `${this.#cookie}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
    // A path alone: the browser keeps the host of its request.
    const location = `/${clean.pathname.replace(/^\/+/, "")}${clean.search}`;
    return answer(null, "text/plain", { status: 303, headers: { location, "set-cookie": cookie } });
  }

  #takeTicket(given: string): boolean {
    const ticket = this.#ticket;
    if (!ticket || Date.now() > ticket.until || !isSecret(given, ticket.secret)) return false;
    this.#ticket = undefined;
    return true;
  }

  /** The page links to the same URL from this origin: a browser that came from elsewhere sends no cookie. */
  #invitation(sentence: string): Response {
    const html = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>pakfs</title><p>pakfs: ${sentence.replaceAll('"', "&quot;")}.</p><p><a href="">Try again</a></p>`;
    return answer(html, "text/html; charset=utf-8", { status: 401, isPage: true });
  }
}
