// 新手引导与快捷键列表。
export default {
  guide: {
    title: '新手引导',
    text: '共五步，顺序不限。账户中出现对应记录即完成。',
    progress: '已完成 {done} / {total}',
    done: '已完成',
    later: '稍后继续',
    leave: '隐藏引导',
    show: '重新显示',
    steps: {
      deposit: {
        title: '充值 SOL',
        text: '向您的钱包地址转入 SOL，几秒后即可用于交易。',
        go: '充值',
      },
      find: {
        title: '找到代币',
        text: '按成交额、持有人和安全性筛选市场，点星标加入自选。',
        go: '发现',
      },
      buy: {
        title: '买入并设置保护',
        text: '买入少量并设置止损或止盈：即使您不在线也会自动卖出。',
        go: '选择代币',
      },
      follow: {
        title: '跟单策略',
        text: '您的 SOL 转入策略中您的子账户，与带单员同笔成交。',
        go: '策略',
      },
      see: {
        title: '在账户中查看',
        text: '资产曲线、持仓、跟单、费用，以及每笔交易及其链上记录。',
        go: '账户',
      },
    },
  },
  keys: {
    title: '快捷键',
    text: '未在输入且没有打开弹窗时，任意页面均可使用。',
    list: {
      search: '搜索代币',
      buy: '代币页：切到买入',
      sell: '代币页：切到卖出',
      next: '发现页：下一个代币',
      previous: '发现页：上一个代币',
      confirm: '交易面板：提交订单；发现页：打开代币',
      close: '关闭当前窗口',
      keys: '显示此列表',
    },
  },
};
