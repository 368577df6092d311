/** Client of Formwork: typed records with evidence from documents. */

export { Client, type ClientOptions, Conversation, type Decision, type Document } from "./client.js";
export {
  Conflict,
  ExtractionFailed,
  type FieldError,
  Forbidden,
  FormworkError,
  InvalidRequest,
  NotFound,
  RateLimited,
  RecordInvalid,
  Unauthorized,
  Unavailable,
} from "./errors.js";
export type { Event } from "./events.js";
export type { Evidence, ExtractOptions, Extraction } from "./extraction.js";
export type { Call, Json } from "./requests.js";
export type { Schema, StandardSchema } from "./schema.js";
