import { shows } from '../../results/operation'

export default [
  shows('invokeFunction', () => import('./answer'), 'cloud'),
  shows('getFunctionLogs', () => import('../service/logs-result'), 'cloud'),
  shows('getFunctionMetrics', () => import('../service/metrics-result'), 'cloud')
]
