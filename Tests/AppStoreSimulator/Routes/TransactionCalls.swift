import Contracts
import Foundation
import Hummingbird

extension StoreCall {
    /// Get Transaction Info.
    func transaction() async throws -> Response {
        try .json(["signedTransactionInfo": store.signed(await sale(), quality)])
    }

    /// Set App Account Token.
    func setAppAccountToken() async throws -> Response {
        let wanted: [String: String] = try await apiBody()
        guard let token = wanted["appAccountToken"], UUID(uuidString: token) != nil else {
            throw APIError.invalidAppAccountTokenUUID
        }
        let sale = try await sale()
        guard sale.transaction.originalTransactionId == sale.id else {
            throw APIError.notOriginalTransactionId
        }
        guard sale.transaction.inAppOwnershipType != "ASSIGNED" else { throw APIError.assignedNotSupported }
        guard sale.transaction.inAppOwnershipType == "PURCHASED" else {
            throw APIError.familyTransactionNotSupported
        }
        try await store.sales.setAppAccountToken(token, of: sale.id, at: now)
        return Response(status: .ok)
    }

    /// Look Up Order ID: what was bought with the order number of a customer's invoice.
    func lookUpOrder() async throws -> Response {
        let number = try parameter("orderId")
        guard let id = CustomerOrderNumber.transactionId(number), let sale = await store.sales.sale(id),
            isOfCaller(sale)
        else { return try .json(["status": .integer(1), "signedTransactions": JSONValue.array([])]) }
        let signed = JSONValue.string(try store.signed(sale, quality))
        return try .json(["status": .integer(0), "signedTransactions": JSONValue.array([signed])])
    }

    /// Get Refund History, version 2: the refunds of a customer.
    func refunds() async throws -> Response {
        let refunded = await store.sales.history(of: try sale()).filter { sale in
            sale.transaction.revocationType?.hasPrefix("REFUND") ?? false
        }
        return try .json(page(of: refunded))
    }

    /// Twenty sales, which are in the order of their changes or its reverse, after the revision asked for.
    ///
    /// Apple's opaque `revision` is here the moment of the last change on the page.
    func page(of sales: [Sale], descending: Bool = false) throws -> [String: JSONValue] {
        let last = try query("revision").map { revision throws(APIError) in
            guard revision.hasPrefix("rev_"), let moment = Int64(revision.dropFirst(4)) else {
                throw .invalidRequestRevision
            }
            return moment
        }
        let rest = (descending ? sales.reversed() : sales).filter { sale in
            guard let last else { return true }
            return descending ? sale.modified < last : sale.modified > last
        }
        let page = rest.prefix(Self.pageSize)
        return [
            "revision": .string("rev_\(page.last?.modified ?? last ?? 0)"),
            "hasMore": .bool(rest.count > Self.pageSize),
            "signedTransactions": .array(try page.map { .string(try store.signed($0, quality)) }),
        ]
    }

    /// As Apple's.
    static let pageSize = 20
}
