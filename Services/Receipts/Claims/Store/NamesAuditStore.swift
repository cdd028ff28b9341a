import Contracts
import Database
import Delivery

/// The names of purchases, as an audit compares their rows with the claims that state them.
struct NamesAuditStore {
    let connection: any Connection

    func page(_ request: NamesAuditV1, now: Timestamp) throws -> NamesAuditPage {
        let limit = NamesAuditV1.maximumNames
        let names = try request.names ?? stated(after: request.after ?? "", limit: limit)
        let list = try JSONColumn.text(names)
        let isLast = request.names != nil || names.count < limit
        return NamesAuditPage(
            rows: try rows(of: list),
            claims: try claims(of: list, now: now),
            next: isLast ? nil : names.last
        )
    }

    /// The names that claims of this partition state.
    private func stated(after name: String, limit: Int) throws(StoreError) -> [String] {
        try connection.rows(
            "SELECT DISTINCT name FROM claim_name WHERE name > \(name) ORDER BY name LIMIT \(limit)"
        ) { row throws(StoreError) -> String in try row[0] }
    }

    private func rows(of list: String) throws(StoreError) -> [NamesAuditPage.Row] {
        try connection.rows(Self.rowsQuery(list)) { row throws(StoreError) -> NamesAuditPage.Row in
            NamesAuditPage.Row(
                name: try row[0],
                environment: try row[1],
                bundleId: try row[2],
                homeId: try row[3]
            )
        }
    }

    private func claims(of list: String, now: Timestamp) throws(StoreError) -> [NamesAuditPage.Claim] {
        try connection.rows(Self.claimsQuery(list)) { row throws(StoreError) -> NamesAuditPage.Claim? in
            let (name, since): (String, Timestamp) = (try row[0], try row[6])
            let holder: BuyerID? = try row[7]
            let registration: NameRegistration = try JSONColumn.value(of: row[5])
            guard let place = registration.place(of: name) else { return nil }
            return NamesAuditPage.Claim(
                name: name,
                environment: try row[1],
                bundleId: try row[2],
                originalTransactionId: try row[3],
                purchaseId: try row[4],
                place: place,
                isHeld: holder != nil,
                ageMs: place == .asked ? now.milliseconds - since.milliseconds : nil
            )
        }.compactMap(\.self)
    }

    static func rowsQuery(_ list: String) -> SQL {
        """
        SELECT DISTINCT name, environment, bundle_id, home_id FROM purchase_name
        WHERE name IN (SELECT value FROM json_each(\(list)))
        ORDER BY name, bundle_id, environment
        """
    }

    static func claimsQuery(_ list: String) -> SQL {
        """
        SELECT named.name, named.environment, named.bundle_id, named.original_transaction_id, named.purchase_id,
          name_registration.content, name_registration.since, claim.buyer_id
        FROM claim_name AS named
        JOIN name_registration USING (original_transaction_id, purchase_id, bundle_id, environment)
        LEFT JOIN claim ON claim.purchase_id = named.purchase_id AND claim.bundle_id = named.bundle_id
          AND claim.environment = named.environment
          AND claim.original_transaction_id = named.original_transaction_id
        WHERE named.name IN (SELECT value FROM json_each(\(list)))
        ORDER BY named.name, named.original_transaction_id
        """
    }
}
