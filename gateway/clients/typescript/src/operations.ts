// The contract's operations as TypeScript sees them: which paths a method has, what goes in, what comes out.
import type { components, paths } from "./contract.js";

export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];
/** What happened, as webhooks and `GET /api/events` tell it. A later release may send types that are not in the union. */
export type EventPayload = Schema<"EventPayload">;

export type Method = "get" | "post" | "delete";
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];
export type Operation<M extends Method, P> = P extends keyof paths
  ? paths[P] extends Record<M, infer O>
    ? O
    : never
  : never;

type Done = 200 | 201 | 202;
type Responses<O> = O extends { responses: infer R } ? R : never;
type Content<R, Type extends string> = R extends { content: infer C } ? (Type extends keyof C ? C[Type] : never) : never;
/** The JSON that an operation answers with; `undefined` where the answer has none (204). */
export type Data<O> = [keyof Responses<O> & Done] extends [never]
  ? undefined
  : { [S in keyof Responses<O> & Done]: Content<Responses<O>[S], "application/json"> }[keyof Responses<O> & Done];

/** Paths whose GET answers with JSON, with a page of a list, and with something else than JSON: a file. */
export type JsonPath = { [P in PathOf<"get">]: [Data<Operation<"get", P>>] extends [never] ? never : P }[PathOf<"get">];
export type ListPath = {
  [P in JsonPath]: Data<Operation<"get", P>> extends { paginationMeta: { nextCursor: string | null } } ? P : never;
}[JsonPath];
type FileContent<O> = Responses<O> extends { 200: { content: infer C } }
  ? Exclude<keyof C, "application/json" | "text/event-stream">
  : never;
export type FilePath = { [P in PathOf<"get">]: [FileContent<Operation<"get", P>>] extends [never] ? never : P }[PathOf<"get">];

/** The records of a page. */
export type Item<D> = { [K in keyof D]: D[K] extends readonly (infer T)[] ? T : never }[Exclude<keyof D, "paginationMeta">];

type Parameters<O> = O extends { parameters: infer P } ? P : never;
export type PathOption<O> = Parameters<O> extends { path: infer P } ? { path: P } : { path?: never };
export type Query<O> = Parameters<O> extends { query?: infer Q } ? NonNullable<Q> : never;
export type QueryOption<O> = Parameters<O> extends { query: infer Q } ? { query: Q } : { query?: Query<O> };
/** Where an operation answers with JSON or a file, `get` asks for the one, and `download` says which file. */
export type JsonQueryOption<P extends JsonPath> = P extends FilePath
  ? { query?: Omit<Query<Operation<"get", P>>, "format"> }
  : QueryOption<Operation<"get", P>>;
export type FileQueryOption<P extends FilePath> = P extends JsonPath
  ? { query: Query<Operation<"get", P>> & { format: "csv" | "csv-raw" } }
  : QueryOption<Operation<"get", P>>;
type HasHeader<O, Name extends string> = Parameters<O> extends { header?: infer H }
  ? Name extends keyof NonNullable<H>
    ? true
    : false
  : false;
export type IfMatchOption<O> = HasHeader<O, "If-Match"> extends true ? { ifMatch?: string | undefined } : { ifMatch?: never };
export type KeyOption<O> =
  HasHeader<O, "Idempotency-Key"> extends true ? { idempotencyKey?: string | undefined } : { idempotencyKey?: never };
export type BodyOption<O, File> = O extends { requestBody: { content: infer C } }
  ? "application/json" extends keyof C
    ? { body: C["application/json"] }
    : { body: File; contentType: Exclude<keyof C & string, "multipart/form-data">; size?: number }
  : O extends { requestBody?: infer B }
    ? NonNullable<B> extends { content: { "application/json": infer J } }
      ? [NonNullable<B>] extends [never]
        ? { body?: never }
        : { body?: J | undefined }
      : { body?: never }
    : { body?: never };
/** Whether the options have a member that must be given. */
export type Given<T> = Record<string, never> extends { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
  ? [options?: T]
  : [options: T];
