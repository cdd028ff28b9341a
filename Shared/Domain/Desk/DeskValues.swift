package import Contracts

/// The values of a fact as text, by the places that have them.
package struct DeskValues {
    package let language: DeskLanguage
    /// The present, so that what happened today needs no date.
    package let now: Timestamp

    package init(_ language: DeskLanguage, now: Timestamp) { (self.language, self.now) = (language, now) }

    /// `12:03`, or with its date if that is another day; UTC.
    package func time(_ time: Timestamp) -> String {
        let (text, today) = (time.rfc3339, now.rfc3339)
        let clock = String(text.dropFirst(11).prefix(5))
        return text.prefix(10) == today.prefix(10) ? clock : text.prefix(10) + " " + clock
    }

    /// `once`, `4 times`.
    package func times(_ count: Int) -> String {
        switch language {
        case .english: count == 1 ? "once" : "\(count) times"
        case .simplifiedChinese: "\(count) 次"
        }
    }

    /// The values of a fact.
    package func of(_ fact: DeskFact) -> [String: String] {
        let values: [String: String?] = [
            "at": time(fact.at), "since": fact.since.map(time), "order": fact.orderId?.rawValue,
            "reference": fact.reference,
            "purchase": fact.purchaseId?.rawValue, "transaction": fact.transactionId?.rawValue,
            "receipt": fact.receiptId?.rawValue, "buyer": fact.buyerId?.rawValue,
            "other": fact.otherBuyerId?.rawValue, "product": fact.productId?.rawValue,
            "quantity": fact.quantity.map(String.init), "price": Self.money(fact.price, fact.currency),
            "entitlement": fact.entitlement, "amount": fact.amount.map(String.init),
            "word": fact.word.map { DeskWords.text($0, of: fact.kind, language) }, "detail": fact.detail,
            "count": fact.count.map(String.init), "times": fact.count.map(times), "next": fact.next.map(time),
        ]
        return values.compactMapValues(\.self)
    }

    /// Milliunits as `0.99 USD`; nil unless both are known.
    package static func money(_ price: Int64?, _ currency: String?) -> String? {
        guard let price, let currency else { return nil }
        let (units, rest) = (price / 1_000, abs(price % 1_000))
        let digits = rest % 10 == 0 ? (rest / 10, 2) : (rest, 3)
        let text = String(digits.0)
        return "\(units)." + String(repeating: "0", count: digits.1 - text.count) + text + " \(currency)"
    }
}
