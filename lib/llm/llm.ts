import type { Db } from '../../db/index.js'
import { insertModelCall, type ModelCallRow, type Payer, type Purpose } from '../../db/model-spend.js'
import type { ConnectedModel } from './connected-model.js'
import { type ReservedCall, type StreamOptions } from './connected-model.js'
import { type ModelRequest, sizeOfTools } from './encode-request.js'
import type { ConnectionParts } from './model-connection.js'
import type { Charge, Turn } from './turn.js'
import type { StoredModelConnection } from '../../schemas/account/model-connection.js'

export interface Known {
  db: Db
  /** By the environment, or the sandbox, or nobody. */
  installed: ConnectedModel
  /** @returns the encrypted description of the model that the workspace has connected */
  encryptedOf: (workspaceId: string) => Buffer | undefined
  decrypt: (workspaceId: string, encrypted: Buffer) => StoredModelConnection | undefined
  connect: (workspaceId: string, parts: ConnectionParts) => ConnectedModel
}

/** The model that a workspace has connected. */
interface OwnModel { encrypted: Buffer, stored: StoredModelConnection | undefined, model: ConnectedModel }

/** The models that are asked: the installation's, or the one that a workspace has connected. */
export class Llm {
  readonly installed: ConnectedModel
  #own = new Map<string, OwnModel>()

  constructor (private readonly known: Known) {
    this.installed = known.installed
  }

  /** @returns who answers in the workspace, as of the last read of its settings */
  of (workspaceId: string): ConnectedModel {
    return this.#ownOf(workspaceId)?.model ?? this.installed
  }

  /** @returns what the workspace has connected, also where the environment wins over it */
  storedOf (workspaceId: string): StoredModelConnection | undefined {
    const encrypted = this.known.encryptedOf(workspaceId)
    return encrypted && this.known.decrypt(workspaceId, encrypted)
  }

  /** @returns a model that is described and not connected, to be tried */
  describe (workspaceId: string, parts: ConnectionParts): ConnectedModel {
    return this.known.connect(workspaceId, parts)
  }

  /** @returns the model that is asked for the workspace where none is named */
  modelOf (workspaceId: string): string {
    return this.of(workspaceId).modelOf(workspaceId)
  }

  /** @returns the model that writes titles and notes, where it is another; undefined = the one of the conversation */
  smallModelOf (workspaceId: string): string | undefined {
    return this.of(workspaceId).smallModelOf(workspaceId)
  }

  /** @returns how large system prompt and tools are, in every request of a conversation */
  sizeOfPrefix ({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number {
    return system.length + sizeOfTools(tools)
  }

  /** Looks up what a call of the payer needs, before it is made. */
  prepare (payer: Payer): Promise<void> {
    return this.of(payer.workspace_id).prepare(payer)
  }

  /** @throws as `ConnectedModel` */
  reserve (payer: Payer, request: ModelRequest, signal: AbortSignal): Promise<ReservedCall> {
    return this.of(payer.workspace_id).reserve(payer, request, signal)
  }

  /** @throws as `ConnectedModel` */
  stream (call: ReservedCall, options: StreamOptions): Promise<Turn> {
    return call.by.stream(call, options)
  }

  toRow (charge: Charge, { by, model }: ReservedCall): ModelCallRow {
    return by.toRow(charge, model)
  }

  /** Records what a call was charged, once for each row. */
  async record (payer: Payer, purpose: Purpose, row: ModelCallRow): Promise<void> {
    await insertModelCall(this.known.db, payer, purpose, row)
  }

  /** What was read of a workspace holds until its stored description is another. The environment wins over it. */
  #ownOf (workspaceId: string): OwnModel | undefined {
    const encrypted = this.installed.answerer === 'provider' ? undefined : this.known.encryptedOf(workspaceId)
    const held = this.#own.get(workspaceId)
    if (encrypted === undefined) {
      if (held) this.#own.delete(workspaceId)
      return undefined
    }
    if (held?.encrypted === encrypted || held?.encrypted.equals(encrypted)) return held
    const stored = this.known.decrypt(workspaceId, encrypted)
    const model = stored ? this.known.connect(workspaceId, stored) : this.installed
    const made = { encrypted, stored, model }
    this.#own.set(workspaceId, made)
    return made
  }
}
