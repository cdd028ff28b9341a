import Contracts
import Domain

/// An App Store Server Notification of version 1, reduced to what to ask Apple about.
///
/// It has no signature, so anybody may have written it: what it claims is not read.
struct VersionOneServerNotification: NamedBody {
    /// Most purchases to ask Apple about because of one notification.
    static let maximumHints = 10

    enum CodingKeys: String, CodingKey, CaseIterable {
        case type = "notification_type"
        case bundle = "bid"
        case environment
        case password
        case original = "original_transaction_id"
        case unified = "unified_receipt"
        case latest = "latest_receipt_info"
        case expired = "latest_expired_receipt_info"
    }

    private struct UnifiedReceipt: Decodable {
        enum CodingKeys: String, CodingKey {
            case environment
            case latest = "latest_receipt_info"
            case pending = "pending_renewal_info"
        }

        let environment: LegacyText?
        let latest: LegacyRows?
        let pending: LegacyRows?
    }

    /// Only shows that the body is a notification.
    private let type: String
    private let bundle: LegacyText?
    private let environment: LegacyText?
    private let password: LegacyText?
    private let original: LegacyText?
    private let unified: UnifiedReceipt?
    private let latest: LegacyRows?
    private let expired: LegacyRows?

    /// What to ask Apple, first about the purchase of the notification, then about the newest.
    ///
    /// - Throws: `Problem` 422 when no app or no purchase is named; Apple always names them.
    func hints() throws(Problem) -> [ServerNotificationHintV1] {
        let name = bundle?.text ?? rows.lazy.compactMap(\.bundle?.text).first
        guard let bundle = name.flatMap({ BundleID(rawValue: $0) }) else {
            throw .unacceptable("bid", "must be the bundle id of an app")
        }
        let originals = originals
        guard !originals.isEmpty else {
            throw .unacceptable("original_transaction_id", "is named nowhere in the notification")
        }
        return originals.map { original in
            ServerNotificationHintV1(
                bundleId: bundle,
                environment: store,
                originalTransactionId: original,
                password: password?.text.flatMap {
                    $0.utf8.count <= Limits.sharedSecretBytes.upperBound ? $0 : nil
                }
            )
        }
    }

    /// Version 1 has `PROD` for `Production`; whatever is not the sandbox is asked there first.
    private var store: Environment {
        (environment?.text ?? unified?.environment?.text) == "Sandbox" ? .sandbox : .production
    }

    private var rows: [LegacyRow] {
        [unified?.latest, latest, expired, unified?.pending].flatMap { $0?.rows ?? [] }
    }

    private var originals: [TransactionID] {
        let newestFirst = rows.sorted { ($0.purchased ?? 0) > ($1.purchased ?? 0) }
        let named = [original?.text] + newestFirst.map { $0.original?.text ?? $0.transaction?.text }
        var distinct: [TransactionID] = []
        for text in named.compactMap(\.self) where distinct.count < Self.maximumHints {
            guard let original = TransactionID(rawValue: text), !distinct.contains(original) else { continue }
            distinct.append(original)
        }
        return distinct
    }
}

private struct LegacyRow: Decodable {
    enum CodingKeys: String, CodingKey {
        case original = "original_transaction_id"
        case transaction = "transaction_id"
        case purchaseDate = "purchase_date_ms"
        case bundle = "bid"
    }

    let original: LegacyText?
    let transaction: LegacyText?
    let purchaseDate: LegacyText?
    let bundle: LegacyText?

    /// Purchase date, ms since 1970.
    var purchased: Int64? { purchaseDate?.text.flatMap { Int64($0) } }
}

/// Rows of a receipt; older notifications have a single row instead of an array.
private struct LegacyRows: Decodable {
    /// Most rows that are read; Apple sends a hundred.
    static let maximumRows = 200

    let rows: [LegacyRow]

    init(from decoder: any Decoder) throws {
        var list: any UnkeyedDecodingContainer
        do { list = try decoder.unkeyedContainer() } catch {
            rows = [try LegacyRow(from: decoder)]
            return
        }
        var rows: [LegacyRow] = []
        while !list.isAtEnd, rows.count < Self.maximumRows { rows.append(try list.decode(LegacyRow.self)) }
        self.rows = rows
    }
}

/// A text or a number, as Apple sends either; anything else counts as absent.
private struct LegacyText: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            text = try container.decode(String.self)
        } catch {
            do { text = String(try container.decode(Int64.self)) } catch { text = nil }
        }
    }
}
