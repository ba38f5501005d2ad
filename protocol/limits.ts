/**
 * Limits of the socket: requests of clients, replies of the daemon, and resources per client.
 * @module
 */

/** Maximum bytes of a line, in both directions. */
export const maxLineBytes = 4 * 1024 * 1024;
/** Maximum values of a line: list elements; members, lists and objects count four times. */
export const maxLineValues = 131_072;
/** Maximum characters of a path, name or other string in parameters: more than any name in an index has. */
export const maxStringLength = 65_536;
/** Maximum strings of a list in parameters. */
export const maxStringCount = 10_000;

/** Maximum rows of a page for a client that sends no `limit`. */
export const defaultPageSize = 1000;
/** Maximum rows of a page. */
export const maxPageSize = 20_000;
/** Bytes after which a page ends, regardless of its number of rows. */
export const maxPageBytes = 1024 * 1024;
/** Milliseconds after which a page ends if its rows require reading files. */
export const maxPageTime = 100;
/** Maximum bytes that one `read` returns. */
export const maxRead = 1024 * 1024;
/** Maximum number of `problems` in a reply of `status`. */
export const maxStatusProblems = 200;

/** Maximum connections. */
export const maxClients = 256;
/** Maximum milliseconds between connecting and `hello`. */
export const maxGreetingTime = 10_000;
/** Maximum characters of a request's `id`. */
export const maxIdLength = 1024;
/** Maximum requests of one client that wait for replies. */
export const maxPendingRequests = 64;
/** Maximum bytes of these requests, excluding the last. */
export const maxPendingBytes = maxLineBytes;
/** Maximum requests that one client may send at once. */
export const requestBurst = 10_000;
/** Maximum requests per second after that. */
export const requestsPerSecond = 10_000;

/** Maximum subscriptions of one client. */
export const maxSubscriptions = 16;
/** Maximum views of one subscription; each refresh compares all of them. */
export const maxSubscribedViews = 256;
/** Number of paths per view in a notification if the client sends no `sample`. */
export const defaultSample = 20;
/** Maximum paths per view in a notification. */
export const maxSample = 1000;
/** Maximum paths of packs of each kind in a notification. */
export const maxPackPaths = 1000;
/** Maximum notifications that wait for a slow client; then the oldest are dropped. */
export const maxWaitingEvents = 64;
