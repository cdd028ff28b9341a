@testable import Conformance

/// What somebody else has to approve, and a client that lets it be paid twice.
extension `a client with a broken rule` {
    static let approvals = [
        Break(
            "overwrites what has to be approved at the second tap",
            "askToBuyAgain",
            .paysOnce,
            (
                #"say({"show": "ordering", "productId": product})"#,
                #"self.keep(self.buyer + "/" + product, {})"#
            )
        ),
        Break(
            "forgets at its death that somebody has to approve",
            "askToBuyAgain",
            .paysOnce,
            (#"content["proofs"], content["orders"]"#, #"content["proofs"], {}"#)
        ),
        Break(
            "pays again what has to be approved while the gateway is down",
            "askToBuyAgain",
            .paysOnce,
            ("(not order or kept.get", "(order and kept.get")
        ),
        Break(
            "pays again what has to be approved where the gateway was not told",
            "askToBuyAgain",
            .paysOnce,
            (#"(not order or kept.get("orderId", order["orderId"]) == order["orderId"])"#, "not order")
        ),
        Break(
            "pays again what has to be approved where there was no order",
            "askToBuyAgain",
            .paysOnce,
            (#"kept.get("orderId", order["orderId"])"#, #"kept.get("orderId")"#)
        ),
        Break(
            "takes the last purchase's order for that of one without an order",
            "askToBuyAgain",
            .paysOnce,
            (#"self.keep(name, {"orderId""#, #"if order: self.keep(name, {"orderId""#)
        ),
        Break(
            "forgets with any purchase of the product that another one has to be approved",
            "approvalBesideAnother",
            .paysOnce,
            (#"if self.kept.orders.get(name, {}).get("token", "") =="#, "if True or")
        ),
        Break(
            "takes what StoreKit says for a word to who is logged in by then",
            "approvalAfterLogin",
            .paysOnce,
            ("self.buying.pop(product, self.buyer)", "(self.buying.pop(product), self.buyer)[1]")
        ),
        Break(
            "asks for help where somebody has to approve",
            "askToBuyAgain",
            .saysWhatIsSo,
            (#"{"deferred": "waitingForApproval", "#, "{")
        ),
    ]
}
