import { risks, shows, type Change } from '../../results/operation'

const whyScale = ({ arguments: { desired_count: count }, preview }: Change): string => {
  if (count === 0) return 'No task runs any more: the service stops answering.'
  return preview.some(({ label }) => label === 'Autoscaling')
    ? 'It changes what autoscaling may do from now on.'
    : 'More tasks cost more; fewer carry less load.'
}

export default [
  risks('scaleService', whyScale),
  risks('deployService', () => 'It replaces the tasks that run now; what does not start may interrupt the service.'),
  risks('cancelServiceDeployment', () => 'Tasks of both revisions may run until ECS has gone back.'),
  shows('deployService', () => import('./deployment-result')),
  shows('getServiceDeployment', () => import('./deployment-result')),
  shows('cancelServiceDeployment', () => import('./deployment-result')),
  shows('getServiceLogs', () => import('./logs-result'))
]
