import { redacted } from '../../../../lib/llm/ask.js'
import type { ConnectedModel } from '../../../../lib/llm/connected-model.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { GenerateSpec } from '../../../../schemas/pse/generations.js'
import { findSession } from '../../../../db/pse/sessions.js'
import type { Deps } from '../deps.js'
import { countDemands, languageOf, materialOf, textLanguage } from 'steward-spec-engine/engine'
import { readSources } from '../read-material.js'

/** Tokens of all inputs, who counted them, and about how many demands the inputs have. */
export interface Counted { tokens: number, by: 'model' | 'characters', demands: number }

/** Characters of one question to the model's server: less than any window has. */
const perCall = 200_000

const wide = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu
const other = /[^\x00-\x7f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu

/** By script: four characters of ASCII, half of another letter, and one of Chinese, Japanese or Korean are a token. */
export const estimateTokens = (text: string): number => {
  const [full, half] = [text.match(wide)?.length ?? 0, text.match(other)?.length ?? 0]
  return Math.ceil(full + half / 2 + (text.length - full - half) / 4)
}

const partsOf = (text: string): string[] => {
  const parts: string[] = []
  for (let at = 0; at < text.length; at += perCall) parts.push(text.slice(at, at + perCall).toWellFormed())
  return parts
}

/** The template engine, a check and an import ask no model; auto asks one only where a provider is configured. */
const asksModel = ({ answerer }: ConnectedModel, { engine, mode, model }: GenerateSpec): boolean =>
  mode !== 'check' && mode !== 'import' && engine !== 'template' &&
  (engine === 'model' || model !== undefined || answerer === 'provider')

const readLanguage = (text: string, locale: string) => {
  const found = textLanguage(text)
  return found === undefined || found === 'other' ? languageOf(locale) : found
}

/**
 * Counts the tokens of a session's inputs for the estimate of a dry run, outside of any transaction.
 * @returns undefined where no model would be asked
 */
export const countMaterial = async (deps: Pick<Deps, 'db' | 'llm'>, { workspace_id: workspaceId }: Principal,
  sessionId: string, input: GenerateSpec): Promise<Counted | undefined> => {
  const by = deps.llm.of(workspaceId)
  if (!input.dry_run || !asksModel(by, input)) return undefined
  const session = await findSession(deps.db, workspaceId, sessionId)
  if (!session) return undefined
  const sources = materialOf(await readSources(deps.db, workspaceId, sessionId, session.next_seq - 1))
  const texts = sources.map(({ text }) => session.options.redact_secrets ? redacted(text) : text)
  const model = input.model ?? by.modelOf(workspaceId)
  const tokens = await by.countTokens(workspaceId, model, texts.flatMap(partsOf))
  const demands = texts.reduce((sum, text) => sum + countDemands(text, readLanguage(text, session.locale)), 0)
  return tokens === undefined
    ? { tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0), by: 'characters', demands }
    : { tokens, by: 'model', demands }
}
