/** Errors. None of them holds the key. */

/** A broken rule; `path` is a JSON pointer, `?name` for a query parameter or `{name}` for a path segment. */
export interface FieldError {
  path: string;
  message: string;
}

interface Details {
  code: string;
  status?: number | undefined;
  errors?: FieldError[] | undefined;
  requestId?: string | undefined;
  /** Seconds. */
  retryAfter?: number | undefined;
}

/** A request that failed. `code` is stable; `requestId` finds the cause in the server's log. */
export class FormworkError extends Error {
  readonly code: string;
  readonly status: number | undefined;
  readonly errors: FieldError[];
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, details: Details) {
    super(message);
    this.name = new.target.name;
    this.code = details.code;
    this.status = details.status;
    this.errors = details.errors ?? [];
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }
}

/** 400, 413, 415 or 422: the request must change. */
export class InvalidRequest extends FormworkError {}
/** 401: the key is missing or not valid. */
export class Unauthorized extends FormworkError {}
/** 403: the key may not do this. */
export class Forbidden extends FormworkError {}
/** 404: it does not exist in this workspace. */
export class NotFound extends FormworkError {}
/** 409: the request conflicts with stored state. */
export class Conflict extends FormworkError {}
/** 429: a limit of the key is reached. */
export class RateLimited extends FormworkError {}
/** No response, or 5xx: the server or a provider failed. */
export class Unavailable extends FormworkError {}

/** A group of documents without a record; `kind` is the class of the failure, such as `fetch` or `parse`. */
export class ExtractionFailed extends FormworkError {
  constructor(
    message: string,
    code: string,
    readonly kind: string,
  ) {
    super(message, { code });
  }
}

/** A record that does not fit the schema of a library; `errors` has the places. */
export class RecordInvalid extends FormworkError {
  constructor(errors: FieldError[]) {
    const [first] = errors;
    super(`the record does not fit: ${first?.path || "/"}: ${first?.message ?? "invalid"}`, {
      code: "record_invalid",
      errors,
    });
  }
}

const BY_STATUS: Record<number, typeof FormworkError> = {
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  429: RateLimited,
};

/** The error of a response whose body has been read. */
export function errorOf(status: number, headers: Headers, body: unknown): FormworkError {
  const fields = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const wait = Number(headers.get("retry-after") ?? "");
  const kind = BY_STATUS[status] ?? (status >= 500 ? Unavailable : InvalidRequest);
  return new kind(String(fields["message"] ?? `the server answered with status ${status}`), {
    code: String(fields["code"] ?? `status_${status}`),
    status,
    errors: Array.isArray(fields["errors"]) ? (fields["errors"] as FieldError[]) : [],
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: headers.has("retry-after") && Number.isFinite(wait) ? Math.max(0, wait) : undefined,
  });
}
