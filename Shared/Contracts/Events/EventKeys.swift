/// An event's members on the wire.
package enum EventKeys: String, CodingKey {
    case specversion, id, source, type, time, subject, causationid, traceparent, datacontenttype, data
}
