/// How large a body may be.
enum BodyLimit: Int {
    /// 64 KiB: everything that is no proof.
    case small = 65_536
    /// 1 MiB: what Apple notifies; the receipts in notifications of version 1 are large.
    case notification = 1_048_576
    /// 4 MiB: proofs.
    case receipt = 4_194_304

    /// Whether a body has its bytes counted before any of it is read, and all of them.
    ///
    /// Where strangers write nobody is told what to send, so nothing is read that has no place yet. Elsewhere bytes are
    /// counted as they come, and small bodies not at all: the bound on requests bounds them, too.
    var isReservedAhead: Bool { self == .notification }
}
