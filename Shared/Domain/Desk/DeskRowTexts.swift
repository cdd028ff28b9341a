package import Contracts

/// What waits in a list, and why, in English and in simplified Chinese.
package enum DeskRowTexts {
    /// What kind of thing waits.
    package static func what(_ kind: DeskPage.Kind) -> (String, String) {
        switch kind {
        case .orphan: ("orphan", "无主购买")
        case .parkedProof: ("parked proof", "待处理凭证")
        case .parkedNotification: ("parked notification", "待处理通知")
        case .parkedGrant: ("parked grant", "待处理发放")
        case .awaitsApple: ("awaits Apple", "等待 Apple")
        case .contested: ("contested", "归属争议")
        case .unpaid: ("unpaid", "未付款")
        case .ungranted: ("ungranted", "未发放")
        case .undelivered: ("undelivered", "未送达")
        case .proposedCompensation: ("compensation", "补单提议")
        case .proposedMove: ("move", "转移提议")
        case .contestedCompensation: ("contested compensation", "有争议的补单")
        }
    }

    /// Why a row waits where its store says nothing more; nil where the store does.
    package static func usualReason(_ kind: DeskPage.Kind) -> (String, String)? {
        switch kind {
        case .orphan: ("nothing names its buyer", "没有信息指明买家")
        case .awaitsApple: ("Apple has not said whose it is", "Apple 尚未说明归属")
        case .undelivered: ("your server has not been asked yet", "尚未通知您的服务器")
        case .parkedProof, .parkedNotification, .parkedGrant, .contested, .unpaid, .ungranted,
            .proposedCompensation, .proposedMove, .contestedCompensation:
            nil
        }
    }

    /// Why a row waits.
    static func why(_ row: DeskPage.Row, _ language: DeskLanguage) -> String? {
        if row.kind == .contestedCompensation {
            guard row.purchaseId == nil || row.holderId != nil else {
                return DeskTexts.text(.purchaseIsNobodys, language).filled([:])
            }
            let places = ["other": row.holderId?.rawValue].compactMapValues(\.self)
            return DeskTexts.text(.purchaseIsAnothers, language).filled(places)
        }
        guard let reason = row.reason else {
            return usualReason(row.kind).map { DeskTexts.pick($0, language) }
        }
        if row.kind == .contested {
            return DeskTexts.text(DeskPhrase.contested, language).filled(["other": reason])
        }
        let known = words(of: row.kind)
        let parts = reason.split(separator: ": ").map { part in
            known[String(part)].map { DeskTexts.pick($0, language) } ?? String(part)
        }
        return parts.joined(separator: language == .english ? ": " : "：")
    }

    private static func words(of kind: DeskPage.Kind) -> [String: (String, String)] {
        switch kind {
        case .parkedProof: DeskReasons.proofs
        case .parkedNotification: DeskReasons.notifications.merging(DeskReasons.proofs) { first, _ in first }
        case .parkedGrant: DeskReasons.grants
        case .unpaid, .ungranted: DeskReasons.payments
        case .undelivered: DeskWords.known[.serverRefuses] ?? [:]
        case .orphan, .awaitsApple, .contested, .proposedCompensation, .proposedMove, .contestedCompensation:
            [:]
        }
    }
}
