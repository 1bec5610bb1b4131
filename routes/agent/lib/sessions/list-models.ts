import type { FastifyInstance } from 'fastify'
import type { ListedModel } from '../../../../lib/llm/catalog.js'
import type { ChatModel, ChatModels } from '../../../../schemas/agent/models.js'

type Deps = Pick<FastifyInstance, 'llm'>
type By = ReturnType<FastifyInstance['llm']['of']>

/** Of a model that is configured, and not listed, nothing is known. */
const unlisted = (id: string): ListedModel => ({
  id,
  name: id,
  window: null,
  max_output: null,
  lifecycle: null,
  retires_at: null,
  efforts: null,
  thinking: null,
  images: null
})

const toModel = (llm: By, model: ListedModel, isListed: boolean, standard: string): ChatModel => ({
  id: model.id,
  name: model.name,
  is_default: model.id === standard,
  is_listed: isListed,
  is_priced: llm.isPriced(model.id),
  window: llm.windowOf(model.id),
  max_output_tokens: model.max_output,
  lifecycle: model.lifecycle,
  retires_at: model.retires_at,
  // Both are read as some of these words.
  efforts: model.efforts as ChatModel['efforts'],
  thinking: model.thinking as ChatModel['thinking'],
  images: model.images
})

/** @returns the models that a session of the workspace may choose: what the provider lists, after what is configured */
export const listModels = async (deps: Deps, workspaceId: string): Promise<ChatModels> => {
  const llm = deps.llm.of(workspaceId)
  const listed = await llm.listModels()
  const standard = llm.modelOf(workspaceId)
  const known = new Set(listed?.map(({ id }) => id))
  const configured = llm.configuredFor(workspaceId).filter((id) => !known.has(id))
  return {
    items: [
      ...configured.map((id) => toModel(llm, llm.listed(id) ?? unlisted(id), llm.listed(id) !== undefined, standard)),
      ...(listed ?? []).map((model) => toModel(llm, model, true, standard))
    ],
    complete: listed !== undefined
  }
}
