/// The texts of the desk that no fact decides.
package enum DeskPhrase: String, CaseIterable, Sendable {
    case serverRefuses, serverSilent, serverAwaited, serverTold
    case several, nothingFound, nothingWaits, incomplete, more, timesAreUTC, ids
    case likelyHolder, contested, doubled, compensated, compensationProposed, compensationReversed
    case offersCompensation, offersMove, goodwill, purchaseIsAnothers, purchaseIsNobodys
    case days, hours, minutes, seconds, cut

    var texts: (String, String) {
        switch self {
        case .serverRefuses:
            (
                "your server refused the webhook {times}[: {word}][; next try {next}]",
                "您的服务器 {times}拒绝了通知[：{word}][；{next} 重试]"
            )
        case .serverSilent:
            (
                "your server did not answer the webhook {times}[; next try {next}]",
                "您的服务器 {times}没有回应通知[；{next} 重试]"
            )
        case .serverAwaited: ("your server has not been told yet", "尚未通知您的服务器")
        case .serverTold: ("your server knows it since {at}", "您的服务器于 {at} 已收到通知")
        case .several:
            ("{count} purchases or orders; of the first: {sentence}", "共 {count} 笔购买或订单；第一笔：{sentence}")
        case .nothingFound: ("nothing is known about {text}", "没有关于 {text} 的记录")
        case .nothingWaits: ("nothing waits", "没有等待处理的项目")
        case .incomplete: ("not complete: {missed} did not answer", "结果不完整：{missed} 没有回应")
        case .more: ("more: --after {after}", "还有更多：--after {after}")
        case .ids:
            (
                "buyer {buyer}[, order {order}][, purchase {purchase}]",
                "买家 {buyer}[，订单 {order}][，购买 {purchase}]"
            )
        case .timesAreUTC: ("all times are UTC", "所有时间均为 UTC")
        case .likelyHolder: ("probably of {holder}", "可能属于 {holder}")
        case .contested: ("also claimed by {other}", "{other} 也主张拥有它")
        case .offersCompensation:
            (
                "{quantity} × {product} for {buyer}[, on order {order}][, on Apple's order {appleOrder}]"
                    + "[, transactions {transactions}][, as {goodwill}][; proposed by {proposer}]",
                "{buyer} 的 {product} × {quantity}[，订单 {order}][，Apple 订单 {appleOrder}]"
                    + "[，交易 {transactions}][，{goodwill}][；提议人 {proposer}]"
            )
        case .offersMove:
            (
                "{quantity} × {product} from {other} to {buyer}, purchase {purchase}[; proposed by {proposer}]",
                "{product} × {quantity}，从 {other} 到 {buyer}，购买 {purchase}[；提议人 {proposer}]"
            )
        case .purchaseIsAnothers: ("another buyer[, {other},] has its purchase", "其他买家[ {other} ]拥有该购买")
        case .purchaseIsNobodys: ("its purchase is nobody's yet", "该购买尚无归属")
        case .goodwill: ("goodwill", "善意补偿")
        case .days: ("{count} d", "{count} 天")
        case .hours: ("{count} h", "{count} 小时")
        case .minutes: ("{count} min", "{count} 分钟")
        case .seconds: ("{count} s", "{count} 秒")
        case .cut:
            (
                "there is more than is shown: find an order or a purchase of it",
                "还有更多未显示：请查询其中一个订单或购买"
            )
        case .doubled:
            (
                "Two buyers hold goods for one payment: {other} by the purchase, {buyer} by compensation {reference}",
                "两个买家因同一笔付款得到了商品：{other} 通过购买，{buyer} 通过补单 {reference}"
            )
        case .compensated: ("compensated {at} by {reference}", "{at} 已通过 {reference} 补单")
        case .compensationReversed: ("compensated[ {since}], taken back {at}", "[{since} ]已补单，{at} 已撤销")
        case .compensationProposed:
            ("compensation {reference} waits for another operator", "补单 {reference} 等待另一客服确认")
        }
    }
}
