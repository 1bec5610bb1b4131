import { GitStore } from '../core/git.js'
import type { Repository } from '../core/world.js'

export function emptyRepository (id: number, ownerId: number, name: string, at: string): Repository {
  return {
    id,
    owner_id: ownerId,
    name,
    description: null,
    private: false,
    archived: false,
    fork: false,
    language: null,
    default_branch: 'main',
    created_at: at,
    updated_at: at,
    pushed_at: null,
    git: new GitStore(),
    branches: new Map(),
    tags: new Map(),
    pulls: new Map(),
    issues: new Map(),
    comments: new Map(),
    collaborators: new Map(),
    teams: new Map(),
    checks: [],
    statuses: [],
    changes: [],
    releases: [],
    workflows: [],
    runs: [],
    hooks: [],
    protection: new Map(),
    parent_id: null,
    formerNames: new Set()
  }
}
