package import Contracts

/// All that the desk says, in one table: each text in both languages, side by side.
package enum DeskTexts {
    /// What happened, in a timeline.
    package static func text(_ kind: DeskFact.Kind, _ language: DeskLanguage) -> DeskTemplate {
        pick(DeskTimelineTexts.of(kind), language)
    }

    /// How a purchase stands, in the sentence on top.
    package static func text(_ kind: DeskState.Kind, _ language: DeskLanguage) -> DeskTemplate {
        pick(state(kind), language)
    }

    /// What would help.
    package static func text(_ advice: DeskAdvice, _ language: DeskLanguage) -> DeskTemplate {
        pick(help(advice), language)
    }

    /// Why somebody has probably bought an orphan.
    package static func text(_ sign: DeskPage.Holder.Sign, _ language: DeskLanguage) -> DeskTemplate {
        pick(likely(sign), language)
    }

    /// A fixed text.
    package static func text(_ phrase: DeskPhrase, _ language: DeskLanguage) -> DeskTemplate {
        pick(phrase.texts, language)
    }

    /// The text of a language.
    static func pick(_ texts: (String, String), _ language: DeskLanguage) -> String {
        switch language {
        case .english: texts.0
        case .simplifiedChinese: texts.1
        }
    }

    private static func pick(_ texts: (String, String), _ language: DeskLanguage) -> DeskTemplate {
        DeskTemplate(pick(texts, language))
    }

    private static func state(_ kind: DeskState.Kind) -> (String, String) {
        switch kind {
        case .granted: ("Paid {paid}, granted {granted}", "{paid} 付款，{granted} 已发放")
        case .refundUnderWay:
            (
                "Paid {paid}, granted {granted}; Apple refunded it {at}, and it is not taken back",
                "{paid} 付款，{granted} 已发放；Apple 于 {at} 退款，尚未收回"
            )
        case .parked: ("Paid {paid}, not granted: parked[, {word}]", "{paid} 付款，未发放：等待处理[，原因 {word}]")
        case .takenBack:
            ("Paid {paid}, granted {granted}, taken back {at}", "{paid} 付款，{granted} 已发放，{at} 已收回")
        case .neverGranted:
            ("Paid {paid}, not granted: refunded, or another buyer's", "{paid} 付款，未发放：已退款或属于其他买家")
        case .awaitsLedger:
            ("Paid {paid}, not granted yet: the ledger has not answered", "{paid} 付款，尚未发放：账本还没有回应")
        case .orphan:
            (
                "Paid {paid}, not granted: nobody is known to have bought it[; probably {other}]",
                "{paid} 付款，未发放：不知道是谁买的[；可能是 {other}]"
            )
        case .awaitsApple:
            (
                "Paid {paid}, not granted yet: Apple is asked whose it is[; next try {next}]",
                "{paid} 付款，尚未发放：正在向 Apple 查询归属[；{next} 再次查询]"
            )
        case .awaitsOrders:
            ("Paid {paid}, not granted yet: its order is looked for", "{paid} 付款，尚未发放：正在寻找对应的订单")
        case .proofParked:
            ("Handed in, not judged: parked[, {word}]", "凭证已提交，未能判定：等待处理[，原因 {word}]")
        case .proofPending:
            ("Handed in, not judged yet[: {word}]", "凭证已提交，尚未判定[：{word}]")
        case .proofInvalid:
            ("What was handed in is no payment[: {word}]", "提交的凭证不是付款[：{word}]")
        case .compensated:
            ("No payment is known; compensated {at} by {reference}", "没有收到付款；{at} 已通过 {reference} 补单")
        case .compensationProposed:
            (
                "No payment is known; compensation {reference} waits for another operator",
                "没有收到付款；补单 {reference} 等待另一客服确认"
            )
        case .compensationReversed:
            ("No payment is known; compensated[ {since}], taken back {at}", "没有收到付款；[{since} ]已补单，{at} 已撤销")
        case .compensationVoid:
            (
                "No payment is known; compensation {reference} is void since {at}",
                "没有收到付款；补单 {reference} 于 {at} 失效"
            )
        case .failed:
            (
                "Not paid: the phone reported an error {at}[: {detail}][ {word}]",
                "未付款：{at} 手机报告了错误[：{detail}][ {word}]"
            )
        case .unpaid: ("Ordered {at}, no payment is known", "{at} 下单，没有收到付款")
        case .closed: ("Closed {at} without a payment[: {word}]", "{at} 关闭，没有付款[：{word}]")
        case .appleOrderAsked:
            ("Apple is asked about its order id, and has not answered", "正在向 Apple 查询订单号，尚无答复")
        case .appleOrderUnknown:
            ("Apple does not know this order id of the app", "Apple 没有此 App 的这个订单号")
        case .unknown: ("Nothing is known that has to do with a payment", "没有与付款有关的记录")
        }
    }

    private static func help(_ advice: DeskAdvice) -> (String, String) {
        switch advice {
        case .assign:
            (
                "give it to its buyer: counterfoil assign {transaction} --buyer … --reason …",
                "分配给买家：counterfoil assign {transaction} --buyer … --reason …"
            )
        case .retryProof:
            (
                "set right what the reason names, then: counterfoil retry {receipt}",
                "先解决原因，再执行：counterfoil retry {receipt}"
            )
        case .retryNotification:
            ("set right what the reason names, then: counterfoil retry", "先解决原因，再执行：counterfoil retry")
        case .retryGrant:
            (
                "put the product into the catalog, counterfoil catalog load, then: counterfoil retry",
                "把商品加入目录，counterfoil catalog load，再执行：counterfoil retry"
            )
        case .awaitApple:
            (
                "it goes on by itself; if it lasts, see whether Apple takes the app's key",
                "会自动继续；若持续不变，请检查 Apple 是否接受此 App 的密钥"
            )
        case .reassign:
            (
                "decide whose it is: counterfoil reassign {transaction} --buyer … --reason …",
                "决定归属：counterfoil reassign {transaction} --buyer … --reason …"
            )
        case .askPlayer:
            (
                "ask for the order number in Apple's e-mail, and find that",
                "向玩家索取 Apple 邮件里的订单号，再查询它"
            )
        case .awaitLedger:
            (
                "it goes on by itself; if it lasts: counterfoil status, counterfoil delayed list",
                "会自动继续；若持续不变：counterfoil status，counterfoil delayed list"
            )
        case .mendServer:
            (
                "it is tried again by itself; your server has to answer 2xx",
                "会自动重试；您的服务器需要返回 2xx"
            )
        case .confirm, .assignTo, .withdraw, .reverse: helpOfCompensations(advice)
        case .checkNumber:
            (
                "check the number with the player; else: counterfoil grant … --apple-order {detail} --reason …",
                "与玩家核对订单号；若无误：counterfoil grant … --apple-order {detail} --reason …"
            )
        case .askAgain: ("find it again in a minute", "一分钟后再查询")
        }
    }

    private static func helpOfCompensations(_ advice: DeskAdvice) -> (String, String) {
        switch advice {
        case .confirm:
            (
                "another operator looks at it, then: counterfoil confirm {reference}",
                "由另一客服核对，再执行：counterfoil confirm {reference}"
            )
        case .assignTo:
            (
                "give it to {buyer}: counterfoil assign {transaction} --buyer {buyer} --reason …",
                "分配给 {buyer}：counterfoil assign {transaction} --buyer {buyer} --reason …"
            )
        case .withdraw:
            (
                "the purchase is of {other}, and nobody can confirm this: counterfoil reverse {reference} --reason …",
                "该购买属于 {other}，无法确认：counterfoil reverse {reference} --reason …"
            )
        case .reverse:
            (
                "see who has paid; unless it is {buyer}: counterfoil reverse {reference} --reason …",
                "核对是谁付的款；若不是 {buyer}：counterfoil reverse {reference} --reason …"
            )
        case _: ("", "")
        }
    }

    private static func likely(_ sign: DeskPage.Holder.Sign) -> (String, String) {
        switch sign {
        case .chain: ("{buyer} (has the subscription)", "{buyer}（拥有该订阅）")
        case .account: ("{buyer} (bought with the same Apple Account)", "{buyer}（同一 Apple 账户购买过）")
        case .handedIn: ("{buyer} (handed it in for somebody else)", "{buyer}（替别人提交了凭证）")
        }
    }
}
