import { defineWriteTool } from '../../../../lib/tools/options.js'
import { ContainerTask, StopTask, TaskParams } from '../../../../schemas/infrastructure/tasks.js'
import { describeService, readWritable, serviceTarget, serviceUrl } from './service-tools.js'
import { requireRunning, taskFacts } from './stop-task.js'

const taskUrl = (service: string, task: string) => `${serviceUrl(service)}/tasks/${encodeURIComponent(task)}`

export const stopTaskTool = defineWriteTool({
  input: { params: TaskParams, body: StopTask },
  reads: ['getService', 'getServiceTask'],
  basis: 'That this very task runs, and of which revision and deployment it is; others come and go',
  async plan (input, read) {
    const service = await readWritable(input.service, read)
    const task = await read(taskUrl(service.id, input.task), ContainerTask)
    requireRunning(task)
    return {
      target: { kind: 'ecs_task', id: task.id, within: { ...serviceTarget(service).within, ecs_service: service.id }, names: [task.arn] },
      summary: `Stop task ${task.id} of ${describeService(service)}`,
      changes: [
        { label: 'Task', field: 'task', before: `${task.status}, ${task.task_definition}`, after: 'stopped' },
        {
          label: 'Tasks',
          before: null,
          after: `${service.running_count} of ${service.desired_count} run; ECS starts another only while fewer run than are desired`,
          binding: false,
          context: true
        }
      ],
      args: { ...input, service: service.id },
      facts: taskFacts(task),
      risk: ['replaces_running']
    }
  },
  /** It stops, whoever has asked for it, or the outcome is unknown. */
  async reconcile ({ service, task }, read) {
    return (await read(taskUrl(service, task), ContainerTask)).desired_status === 'stopped' ? 'done' : 'unclear'
  }
})
