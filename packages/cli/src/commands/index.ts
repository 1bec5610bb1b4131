import type { Command } from '../command.js'
import { api } from './api.js'
import { approve } from './approve.js'
import { apps } from './apps.js'
import { ask } from './ask.js'
import { completionOf } from './completion.js'
import { costs } from './costs.js'
import { deny } from './deny.js'
import { deploy } from './deploy.js'
import { functions } from './functions.js'
import { inbox } from './inbox.js'
import { login } from './login.js'
import { logout } from './logout.js'
import { logs } from './logs.js'
import { rollback } from './rollback.js'
import { runs } from './runs.js'
import { servers } from './servers.js'
import { services } from './services.js'
import { whoami } from './whoami.js'

/** The commands of a terminal, in the order of the help. */
export const commands: Readonly<Record<string, Command>> = {
  ask,
  inbox,
  approve,
  deny,
  runs,
  services,
  functions,
  apps,
  deploy,
  rollback,
  logs,
  costs,
  api,
  login,
  logout,
  servers,
  whoami,
  completion: completionOf(() => commands)
}
