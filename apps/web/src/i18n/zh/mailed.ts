// The pages that links in security mails lead to.
export default {
  freeze: {
    title: '冻结账户？',
    text: '将退出所有设备的登录、取消暂缓中的提现，并停止提现和私钥导出，直到您用密码和邮件验证码解冻。会买入的条件单和钱包跟单将暂停，由您手动恢复。卖出和策略跟单继续运行。',
    key: '冻结无法阻止持有您私钥的人。如果私钥已泄露，请先把全部资产提现到其他钱包。',
    submit: '冻结账户',
    done: '账户已冻结',
    doneText: '所有设备已退出登录，无法提现，会买入的条件单和钱包跟单已暂停。',
    unfreeze: '解冻账户',
    noLink: '此页面需要通过邮件中的链接打开。',
  },
  undo: {
    title: '撤销密码重置',
    text: '通过邮件重置后 72 小时内，可用原密码或二次验证撤销。所有设备都会退出登录，账户保持冻结直到您解冻。',
    oldPassword: '原密码',
    withFactor: '使用二次验证',
    withPassword: '使用原密码',
    submit: '撤销重置',
    done: '原密码重新有效，请立即解冻账户。',
  },
  cancel: {
    title: '取消此提现？',
    text: '尚未发送任何资产，金额将恢复可用。',
    amount: '金额',
    to: '目标地址',
    until: '暂缓至',
    submit: '取消提现',
    done: '提现已取消',
    doneText: '如非您本人申请，请修改密码，或通过邮件中的链接冻结账户。',
    over: '该提现已无法取消。',
  },
};
