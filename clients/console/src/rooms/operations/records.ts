/** What the API tells about keys, members, webhooks and events. */

import type { Schemas } from "../../api.ts";

export type ApiKey = Schemas["ApiKeyRecord"];
export type Member = Schemas["MemberRecord"];
export type Webhook = Schemas["WebhookRecord"];
export type Delivery = Schemas["DeliveryRecord"];
export type AuditEvent = Schemas["AuditRecord"];
