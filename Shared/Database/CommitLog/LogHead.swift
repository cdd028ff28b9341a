/// The last entry of a log: its position and its epoch, both 0 in an empty log.
package struct LogHead: Hashable, Sendable {
    package static let empty = LogHead(position: 0, epoch: 0)

    package let position: Int64
    package let epoch: Int64

    package init(position: Int64, epoch: Int64) {
        self.position = position
        self.epoch = epoch
    }
}
