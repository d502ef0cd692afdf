/** The models of a conversation: another provider, and a look at the choice. */
import { userConfigPath } from "../config/home.ts";
import { doctorLines } from "../config/show.ts";
import { RunFailure } from "../core/failure.ts";
import type { ModelManager } from "../core/model_manager.ts";
import { providers } from "../providers/catalog.ts";
import type { OpenedConversation } from "./open_conversation.ts";
import { probeModel } from "./probe_model.ts";
import { offeredModels } from "./select_model.ts";

export function createModelManager({ conversation, models }: OpenedConversation): ModelManager {
  const { current } = conversation;
  return {
    providers: () => providers.map(({ name }) => name),
    async setModel(model, provider, signal) {
      const { environment, model: now } = current();
      const wanted = { provider: provider ?? now.provider, model };
      if (wanted.provider !== now.provider || model !== now.model) {
        const { assertOffered } = await import("./assert_offered.ts");
        await assertOffered(models.choose(wanted, environment), environment, signal);
      }
      await conversation.setModel(model, provider);
    },
    async setProvider(provider) {
      const { model } = models.choose({ provider }, current().environment);
      if (model === undefined) {
        throw new RunFailure(
          "usage",
          `no model is known for provider ${provider}; name one: /provider ${provider} MODEL`,
        );
      }
      await conversation.setModel(model, provider);
    },
    async offered(signal, name) {
      const { environment, model: { provider, model } } = current();
      const wanted = name === undefined || name === provider
        ? { provider, model }
        : { provider: name };
      return await offeredModels(models.choose(wanted, environment), environment, signal);
    },
    async remember() {
      const { environment: { nimletHome }, model: { provider, model } } = current();
      if (nimletHome === undefined || provider === "replay") return;
      const { setUserSetting } = await import("../config/write.ts");
      const path = ["providers", provider, "last_model"];
      await setUserSetting(userConfigPath(nimletHome), path, model);
    },
    async doctor() {
      const { doctor } = await import("./doctor.ts");
      const { environment, model: { provider, model } } = current();
      const report = await doctor(models.choose({ provider, model }, environment), environment);
      return doctorLines(report.ok ? { ...report, next: "/doctor test asks the model" } : report);
    },
    async probe(signal) {
      const { model, environment } = current();
      return (await probeModel(model, environment.host.clock, signal)).text;
    },
  };
}
