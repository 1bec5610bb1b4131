import { shows } from '../../results/operation'

export default [
  shows('deployService', () => import('./deployment-result'), 'cloud'),
  shows('getServiceDeployment', () => import('./deployment-result'), 'cloud'),
  shows('cancelServiceDeployment', () => import('./deployment-result'), 'cloud'),
  shows('getServiceLogs', () => import('./logs-result'), 'cloud'),
  shows('listServiceTasks', () => import('./tasks-result'), 'cloud'),
  shows('whyUnhealthy', () => import('./diagnosis'), 'cloud'),
  shows('listAlarms', () => import('./alarms'), 'cloud'),
  shows('getServiceMetrics', () => import('./metrics-result'), 'cloud')
]
