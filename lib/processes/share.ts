import { AsyncLocalStorage } from 'node:async_hooks'

/** For whom work is done: a workspace, and there a person, or the workspace itself behind every request. */
export interface Share { workspaceId: string, personId: string | undefined }

const current = new AsyncLocalStorage<Share>()

/** What is of nobody, such as a page that anybody may read, has one share together. */
const nobody: Share = { workspaceId: '', personId: undefined }

/** Does work, and what follows from it, on somebody's share. */
export const onShareOf = <T>(workspaceId: string, personId: string | undefined, work: () => T): T =>
  current.run({ workspaceId, personId }, work)

/** @returns on whose share this is done */
export const currentShare = (): Share => current.getStore() ?? nobody
