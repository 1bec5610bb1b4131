import type { AdapterPayload } from 'oidc-provider'
import { networkOf, siteOf, siteShare } from '../../../../lib/http/network-of.js'
import { findClient, insertClient } from '../../../../db/account/oauth-clients.js'
import { Refusing, type OauthDeps } from './deps.js'

const contextOf = (id: string): string => `account_oauth_client|${id}|metadata`

/** Clients that registered themselves. */
export class ClientStore extends Refusing {
  /**
   * @param addressOf of the request under way
   * @param full what is thrown when there are too many
   */
  constructor (private readonly deps: OauthDeps, private readonly addressOf: () => string,
    private readonly full: () => Error) { super('Client') }

  override async upsert (id: string, payload: AdapterPayload): Promise<void> {
    const { db, home, secrets, config: { limits } } = this.deps
    const metadata = secrets.encrypt(contextOf(id), JSON.stringify(payload))
    const [address, hourly] = [networkOf(this.addressOf()), limits.oauth_registrations_per_hour]
    const prefix = siteOf(address)
    const site = prefix === undefined ? undefined : { prefix, hourly: hourly * siteShare }
    const room = { all: limits.oauth_clients, hourly, site }
    const client = { id, metadata, address }
    if (!await insertClient(db, home.workspace_id, client, room)) throw this.full()
  }

  override async find (id: string): Promise<AdapterPayload | undefined> {
    const { db, home, secrets } = this.deps
    const row = await findClient(db, home.workspace_id, id)
    // What was written is what the library gave.
    return row && JSON.parse(secrets.decrypt(contextOf(id), row.metadata)) as AdapterPayload
  }
}
