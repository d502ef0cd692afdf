/** What a conversation is made of. */
import type { ChatModel } from "../../core/model.ts";
import type { Front, PromptSource } from "../../core/moments.ts";
import type { OutputSchema } from "../../core/output_schema.ts";
import type { Person } from "../../core/person.ts";
import type { OpenedSession } from "../../session/session.ts";
import type { ModelMaker } from "../model_maker.ts";
import type { RunOptions } from "../run_options.ts";
import type { ConversationEnvironment } from "./conversation_environment.ts";
import type { EventStream } from "./event_stream.ts";

export interface ConversationParts {
  readonly events: EventStream;
  readonly person: Person | undefined;
  readonly models: ModelMaker;
  readonly outputSchema: OutputSchema | undefined;
  /** What edit and write change is noted, to be shown and taken back. */
  readonly keepsChanges?: boolean | undefined;
  /** What it begins with. */
  readonly environment: ConversationEnvironment;
  readonly session: OpenedSession;
  readonly model: ChatModel;
  readonly front: Front;
  /** Where prompts come from. */
  readonly source: PromptSource;
  /** What commands of extensions may do beside answering; absent where they may not. */
  readonly actions?: {
    changeSession(action: "new" | "fork" | "switch", id: string | undefined): Promise<void>;
    reload(): Promise<void>;
  };
  readonly runOptions: Pick<RunOptions, "plan" | "strict" | "thinking" | "yolo">;
}
