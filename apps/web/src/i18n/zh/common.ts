import type source from '../en/common.ts';
import type { TranslationOf } from '../messages.ts';

export default {
  noData: '暂无数据',
  retry: '重试',
  close: '关闭',
  cancel: '取消',
  confirm: '确认',
  copy: '复制',
  copied: '已复制',
  dismiss: '关闭提示',
  zeroRun: '{text}（小数点后 {zeros} 个零）',
  addressCopied: '地址已复制到剪贴板',
  textCopied: '已复制到剪贴板',
  copyFailed: '复制失败，请手动复制',
  copyAddress: '复制地址 {address}',
  sortBy: '按{column}排序',
  progress: '加载中，{percent}%',
  error: {
    title: '加载失败',
    pageTitle: '此页面出现问题',
    pageText: '其他功能仍可正常使用。请重试，或返回策略广场。',
  },
  validation: {
    required: '请输入{field}',
    lengthMin: '{field}至少为{min}个字符',
    lengthMax: '{field}最多为{max}个字符',
    lengthExact: '{field}须为{length}个字符',
    rangeMin: '{field}不能小于{min}',
    rangeMax: '{field}不能大于{max}',
    range: '{field}须在{min}和{max}之间',
    number: '{field}不是一个有效的数字',
    email: '{field}不是一个有效的邮箱地址',
    address: '{field}不是一个有效的 Solana 地址',
    choice: '{field}必须是其中一个[{values}]',
  },
} satisfies TranslationOf<typeof source>;
