import type { ServiceContext } from './lookup.js'
import { seconds } from '../core/wire.js'

const KEPT = 100

/** Adds an event to a service, newest first, a hundred at most. */
export function addEvent (context: ServiceContext, message: string): void {
  const { world, service } = context
  service.events.unshift({
    id: world.ids.uuid(),
    createdAt: seconds(world.clock.now()),
    message: `(service ${service.name}) ${message}`
  })
  service.events.length = Math.min(service.events.length, KEPT)
}

/** `(task 1a) (task 2b)`, as events name tasks. */
export function nameTasks (tasks: { id: string }[]): string {
  return tasks.map((task) => `(task ${task.id})`).join(' ')
}
