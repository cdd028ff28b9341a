/// One piece of outside work, or one turn of a timer.
package struct WorkItem: Equatable, Sendable {
    package let key: String
    package let payload: [UInt8]
    /// The place of the turn's timer among those of the service; nil for outside work.
    package let timer: Int?

    package init(key: String, payload: [UInt8] = [], timer: Int? = nil) {
        self.key = key
        self.payload = payload
        self.timer = timer
    }
}
