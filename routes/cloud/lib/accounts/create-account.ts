import type { FastifyInstance } from 'fastify'
import { v7 as uuid } from 'uuid'
import { insertAccount, isDuplicateAccountName, type AccountRow } from '../../../../db/cloud/accounts.js'
import type { CreateCloudAccount } from '../../../../schemas/cloud/accounts.js'
import { parseRegions } from './parse-regions.js'
import { CloudAccountNameTaken } from '../errors.js'
import { mayBeAmbient, readAuth } from './read-auth.js'

type Deps = Pick<FastifyInstance, 'db' | 'secrets' | 'home' | 'sandbox'>

/** @throws cloud_account_name_taken for a duplicate name; any other error unchanged */
export const nameTaken = (error: unknown): never => {
  throw isDuplicateAccountName(error) ? CloudAccountNameTaken() : error
}

/** Registers an account; its credentials are not used before its first test or read. */
export const createAccount = async (app: Deps, owner: { workspace_id: string, user_id: string },
  input: CreateCloudAccount): Promise<AccountRow> => {
  const id = uuid()
  const defaultRegion = input.default_region ?? input.regions[0] ?? ''
  const partition = parseRegions(input.regions, defaultRegion)
  const { auth, secret, aws_account_id: number } = readAuth(input.auth, mayBeAmbient(app, owner))
  return insertAccount(app.db, owner.workspace_id, {
    id,
    name: input.name.trim(),
    aws_account_id: number,
    partition,
    regions: input.regions,
    default_region: defaultRegion,
    auth,
    secret: secret === null ? null : app.secrets.encrypt(`cloud_account|${id}|secret`, secret),
    sandbox: false,
    environment: input.environment ?? null,
    read_only: input.read_only ?? false,
    created_by: owner.user_id
  }).catch(nameTaken)
}
