import { z } from "zod";
import { runStatusSchema, scheduleStatusSchema } from "@/features/reports/searches";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

export const cadenceTypes = ["daily", "weekly", "monthly", "cron"] as const;
const cadenceTypeSchema = z.enum(cadenceTypes);
export type CadenceType = z.infer<typeof cadenceTypeSchema>;

export const catchUps = ["latest", "skip", "all"] as const;
const catchUpSchema = z.enum(catchUps);
export type CatchUp = z.infer<typeof catchUpSchema>;

const timing = z.object({
  cadenceType: cadenceTypeSchema,
  cadenceDay: z.number().nullable(),
  cadenceWeekday: z.number().nullable(),
  cadenceWeek: z.number().nullable(),
  intervalWeeks: z.number(),
  cronExpression: z.string().nullable(),
  scheduleTime: z.string().nullable(),
  timezone: z.string(),
});
/** When a schedule is due. */
export type Timing = z.infer<typeof timing>;

const fields = timing.extend({
  id: z.number(),
  name: z.string().nullable(),
  reportTypeId: z.string(),
  catchUp: catchUpSchema,
  status: scheduleStatusSchema,
  nextRunAt: z.string().nullable(),
  warnings: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const listed = reads<Documents["ListedScheduleDocument"]>()(
  fields.extend({ lastRunStatus: runStatusSchema.nullable(), lastRunAt: z.string().nullable() }),
);
export type ListedSchedule = z.infer<typeof listed>;
export const schedulesSchema = listing(listed);

const schedule = reads<Documents["ScheduleDocument"]>()(
  fields.extend({
    recipients: z.array(z.object({ id: z.number(), email: z.string(), isActive: z.boolean() })),
  }),
);
export type Schedule = z.infer<typeof schedule>;
export const scheduleSchema = envelope(schedule);

export const stateSchema = envelope(
  reads<Documents["ScheduleStateDocument"]>()(
    z.object({ id: z.number(), status: scheduleStatusSchema, nextRunAt: z.string().nullable() }),
  ),
);
export type ScheduleState = z.infer<typeof stateSchema>["data"];

const runRecipient = z.object({
  email: z.string(),
  status: z.enum(["pending", "sent", "failed", "skipped"]),
  deliveredAt: z.string().nullable(),
  errorMessage: z.string().nullable(),
});
/** What became of a run for one of those whom it is for. */
export type RunRecipient = z.infer<typeof runRecipient>;

const run = reads<Documents["RunDocument"]>()(
  z.object({
    id: z.number(),
    status: runStatusSchema,
    startedAt: z.string().nullable(),
    completedAt: z.string().nullable(),
    errorMessage: z.string().nullable(),
    createdAt: z.string(),
    slot: z.string(),
    late: z.boolean(),
    trigger: z.enum(["schedule", "manual", "retry", "resend"]),
    retryOf: z.number().nullable(),
    documentUrl: z.string().nullable(),
    counts: z.object({ sent: z.number(), failed: z.number(), skipped: z.number(), pending: z.number() }),
    recipients: z.array(runRecipient),
  }),
);
export type Run = z.infer<typeof run>;
export const runSchema = envelope(run);
export const runsSchema = listing(run);

const occurrence = reads<Documents["OccurrenceDocument"]>()(
  z.object({
    runAt: z.string(),
    localTime: z.string(),
    note: z.enum(["clamped", "gap", "repeated"]).nullable(),
  }),
);
/** One of the runs that there would be. */
export type Occurrence = z.infer<typeof occurrence>;
export const occurrencesSchema = envelope(z.array(occurrence));

const reportType = reads<Documents["ReportTypeDocument"]>()(
  z.object({ id: z.string(), name: z.string(), description: z.string() }),
);
export type ReportType = z.infer<typeof reportType>;
export const reportTypesSchema = envelope(z.array(reportType));
