import type { FastifyInstance } from 'fastify'
import type { WorkspaceRetention } from '../../schemas/account/workspace-settings.js'
import { untilNone } from './until-none.js'

/**
 * Deletes in each workspace that keeps something for a time of its own what is older than that. One that cannot be
 * asked does not keep the others.
 * @param take deletes some rows. @returns how many
 * @param usual for how many days those keep it that say nothing; without it they are left out
 * @throws the first error, after all were asked
 */
export const sweepWorkspaces = async ({ workspaces }: Pick<FastifyInstance, 'workspaces'>,
  what: keyof WorkspaceRetention, take: (workspaceId: string, days: number) => Promise<number>, usual?: number):
Promise<void> => {
  const errors: unknown[] = []
  for (const { id, days } of await workspaces.listKeeping(what, usual)) {
    await untilNone(() => take(id, days)).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw errors[0]
}
