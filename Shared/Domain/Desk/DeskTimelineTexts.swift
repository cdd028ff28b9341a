import Contracts

/// What happened, in English and in simplified Chinese.
enum DeskTimelineTexts {
    static func of(_ kind: DeskFact.Kind) -> (String, String) {
        switch kind {
        case .ordered, .orderMade, .closed, .reported, .paid, .released, .phoneStep, .awaitsPayment,
            .awaitsLedger:
            ofOrders(kind)
        case .handedIn, .proofPending, .proofParked, .proofInvalid, .askedApple, .appleNotified,
            .notificationParked:
            ofProofs(kind)
        case .bought, .refunded, .verified, .held, .moved, .moveProposed, .awaitsApple, .awaitsOrders,
            .orphan,
            .contested:
            ofClaims(kind)
        case .granted, .grantParked, .grantReversed, .grantVoid, .neverGranted, .entry, .compensated:
            ofGrants(kind)
        case .phoneTold, .serverTold, .serverRefuses, .serverAwaited: ofNotifications(kind)
        case .appleOrder, .appleOrderUnknown, .appleOrderAsked, .act, .ledgerAct: ofOperators(kind)
        }
    }

    private static func ofOrders(_ kind: DeskFact.Kind) -> (String, String) {
        switch kind {
        case .ordered:
            (
                "{buyer} ordered {product}[ × {quantity}][, {word}][, reference {reference}]",
                "{buyer} 下单 {product}[ × {quantity}][，{word}][，商户单号 {reference}]"
            )
        case .orderMade:
            (
                "an order of {product}[ × {quantity}] was made for {buyer}[: {word}]",
                "为 {buyer} 补建订单 {product}[ × {quantity}][：{word}]"
            )
        case .closed: ("the order was closed[: {word}]", "订单已关闭[：{word}]")
        case .reported: ("the phone reported an error[: {detail}][ {word}]", "手机报告错误[：{detail}][ {word}]")
        case .paid:
            ("the purchase pays this order of {buyer}[, because {word}]", "此购买对应 {buyer} 的订单[，依据：{word}]")
        case .released: ("the order lost purchase {purchase}", "订单不再对应购买 {purchase}")
        case .phoneStep: ("phone: {word}[ ({detail})]", "手机：{word}[（{detail}）]")
        case .awaitsPayment: ("no payment yet[; Apple is asked {next}]", "尚未付款[；{next} 向 Apple 查询]")
        case .awaitsLedger: ("the ledger has not answered yet", "账本还没有回应")
        case _: ("", "")
        }
    }

    private static func ofProofs(_ kind: DeskFact.Kind) -> (String, String) {
        switch kind {
        case .handedIn:
            ("{buyer} handed in a proof[, naming order {detail}]", "{buyer} 提交了凭证[，指明订单 {detail}]")
        case .proofPending: ("the proof is not judged yet[: {word}]", "凭证尚未判定[：{word}]")
        case .proofParked: ("the proof is parked[: {word}]", "凭证等待处理[：{word}]")
        case .proofInvalid: ("the proof is no payment[: {word}]", "凭证不是付款[：{word}]")
        case .askedApple:
            ("Apple is asked[: {detail}][; next try {next}]", "正在向 Apple 查询[：{detail}][；{next} 重试]")
        case .appleNotified: ("Apple sent a notification[: {word}]", "Apple 发来通知[：{word}]")
        case .notificationParked:
            ("a notification of Apple is parked[: {word}][, {detail}]", "Apple 的通知等待处理[：{word}][，{detail}]")
        case _: ("", "")
        }
    }

    private static func ofClaims(_ kind: DeskFact.Kind) -> (String, String) {
        switch kind {
        case .bought:
            (
                "bought {product}[ × {quantity}][ for {price}], says Apple",
                "Apple 确认购买 {product}[ × {quantity}][，{price}]"
            )
        case .refunded: ("Apple refunded it[: {word}]", "Apple 已退款[：{word}]")
        case .verified: ("a proof of it came here[, from {buyer}]", "收到购买凭证[，来自 {buyer}]")
        case .held: ("{buyer} is the holder[, because {word}]", "归属 {buyer}[，依据：{word}]")
        case .moved: ("moved from {other} to {buyer}[: {word}]", "从 {other} 转给 {buyer}[：{word}]")
        case .moveProposed:
            (
                "move {reference} from {other} to {buyer}, {product}[ × {quantity}]: {word}[, because {detail}]",
                "转移 {reference}，{product}[ × {quantity}]，从 {other} 到 {buyer}：{word}[，原因：{detail}]"
            )
        case .awaitsApple:
            ("whose it is, Apple has not said yet[; next try {next}]", "Apple 尚未说明归属[；{next} 重试]")
        case .awaitsOrders: ("its order is looked for[, by {word}]", "正在寻找订单[，依据：{word}]")
        case .orphan:
            (
                "nobody is known to have bought it[; {other} has bought with the same Apple Account]",
                "不知道是谁买的[；{other} 用同一 Apple 账户购买过]"
            )
        case .contested: ("{other} has better evidence than {buyer}", "{other} 的依据比 {buyer} 更强")
        case _: ("", "")
        }
    }

    private static func ofGrants(_ kind: DeskFact.Kind) -> (String, String) {
        switch kind {
        case .granted: ("granted to {buyer}", "已发放给 {buyer}")
        case .grantParked: ("the grant is parked[: {word}]", "发放等待处理[：{word}]")
        case .grantReversed: ("taken back from {buyer}", "已从 {buyer} 收回")
        case .grantVoid: ("{buyer} has it no more: it was another buyer's", "{buyer} 不再拥有：它属于其他买家")
        case .neverGranted: ("not granted: the refund came first", "未发放：退款先到")
        case .compensated:
            (
                "compensation {reference} for {buyer}, {product}[ × {quantity}]: {word}[, because {detail}]",
                "{buyer} 的补单 {reference}，{product}[ × {quantity}]：{word}[，原因：{detail}]"
            )
        case .entry:
            ("ledger of {buyer}: {word} {amount} {entitlement}", "{buyer} 的账本：{word} {amount} {entitlement}")
        case _: ("", "")
        }
    }

    private static func ofNotifications(_ kind: DeskFact.Kind) -> (String, String) {
        switch kind {
        case .phoneTold:
            ("the phone of {buyer} was told: {word}[, {detail}]", "已告知 {buyer} 的手机：{word}[，{detail}]")
        case .serverTold: ("your server took the webhook", "您的服务器已收到通知")
        case .serverRefuses:
            (
                "your server has not taken the webhook, asked {times}[: {word}][; next {next}]",
                "您的服务器未接收通知，已尝试 {times}[：{word}][；{next} 重试]"
            )
        case .serverAwaited: ("a webhook waits for its turn", "通知排队等待发送")
        case _: ("", "")
        }
    }

    private static func ofOperators(_ kind: DeskFact.Kind) -> (String, String) {
        switch kind {
        case .appleOrder: ("Apple's order {detail} has this transaction", "Apple 订单 {detail} 包含此交易")
        case .appleOrderUnknown: ("Apple knows no order {detail} of the app", "Apple 没有此 App 的订单 {detail}")
        case .appleOrderAsked: ("Apple is asked about its order {detail}", "正在向 Apple 查询订单 {detail}")
        case .act: ("an operator acted: {word}[, because {detail}]", "客服操作：{word}[，原因：{detail}]")
        case .ledgerAct: ("the ledger acted: {word}[, because {detail}]", "账本操作：{word}[，原因：{detail}]")
        case _: ("", "")
        }
    }
}
