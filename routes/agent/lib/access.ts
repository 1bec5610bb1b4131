import type { Access } from '../../../lib/security/principal.js'

/** What is a person's own: conversations, preferences, files. Who may read anything may have them. */
export const ownWrites: Access = { scope: 'agent:write', role: 'viewer' }

/** Who may propose a write on anything; what is proposed is checked on its target. */
export const proposes: Access = { scope: 'agent:write', role: 'operator' }

/** What others have written is for those who may read the whole workspace. */
export const readsAll: Access = { scope: 'agent:read', role: 'viewer', on: 'workspace' }
