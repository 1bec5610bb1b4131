import { risks, shows } from '../../results/operation'

export default [
  risks('invokeFunction', () => 'Steward cannot see beforehand what the code of the function does.'),
  risks('deployFunction', () => 'Every call that comes after it runs the new code.'),
  shows('invokeFunction', () => import('./answer')),
  shows('getFunctionLogs', () => import('../service/logs-result'))
]
