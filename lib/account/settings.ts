import { Value } from '@sinclair/typebox/value'
import { StoredSettings, type OwnSettings } from '../../schemas/account/workspace-settings.js'

/** @returns what a workspace has stored; undefined = it cannot be read, such as what another program wrote there */
export const readSettings = (stored: unknown): OwnSettings | undefined =>
  Value.Check(StoredSettings, stored) ? stored : undefined

/** What holds where settings cannot be read: nobody has more rights for that. */
export const unreadSettings: OwnSettings = { step_up: true, sign_in: '' }
